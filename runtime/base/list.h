/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_LIST_H
#define RUNTIME_BASE_LIST_H

/*
 * Doubly linked lists through a node inside the element.  The head is a node
 * too and the list a ring, so that removal needs no head.  A node that is in
 * no list points to NULL.
 */

#include <stdbool.h>
#include <stddef.h>

struct rt_list {
    struct rt_list *next;
    struct rt_list *prev;
};

/* The element of type that contains the node n as member. */
#define LIST_ENTRY(n, type, member) \
    ((type *)(void *)((char *)(n) - offsetof(type, member)))

#define LIST_FOREACH(n, head) \
    for ((n) = (head)->next; (n) != (head); (n) = (n)->next)

/* As LIST_FOREACH; n may be removed in the body. */
#define LIST_FOREACH_SAFE(n, tmp, head)                               \
    for ((n) = (head)->next; (tmp) = (n)->next, (n) != (head); (n) = (tmp))

static inline void
rt_list_init(struct rt_list *head)
{
    head->next = head->prev = head;
}

static inline bool
rt_list_empty(const struct rt_list *head)
{
    return head->next == head;
}

static inline bool
rt_list_linked(const struct rt_list *n)
{
    return n->next != NULL;
}

static inline void
rt_list_insert_after(struct rt_list *at, struct rt_list *n)
{
    n->next = at->next;
    n->prev = at;
    at->next->prev = n;
    at->next = n;
}

static inline void
rt_list_push_front(struct rt_list *head, struct rt_list *n)
{
    rt_list_insert_after(head, n);
}

static inline void
rt_list_push_back(struct rt_list *head, struct rt_list *n)
{
    rt_list_insert_after(head->prev, n);
}

static inline void
rt_list_remove(struct rt_list *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
    n->next = n->prev = NULL;
}

/* Takes the first node, NULL from an empty list. */
static inline struct rt_list *
rt_list_pop_front(struct rt_list *head)
{
    struct rt_list *n = head->next;

    if (n == head)
        return NULL;
    rt_list_remove(n);
    return n;
}

/* Moves all nodes of src, in order, behind those of dst. */
static inline void
rt_list_splice(struct rt_list *dst, struct rt_list *src)
{
    if (rt_list_empty(src))
        return;
    src->next->prev = dst->prev;
    dst->prev->next = src->next;
    src->prev->next = dst;
    dst->prev = src->prev;
    rt_list_init(src);
}

#endif
