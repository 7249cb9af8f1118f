// end: panic or fatal error
// within: 500
// says: index out of range

package main

import "sync"

type stack struct {
	mu sync.Mutex
	v  []int
}

func (s *stack) empty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.v) == 0
}

func (s *stack) pop() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.v[len(s.v)-1]
	s.v = s.v[:len(s.v)-1]
	return x
}

func main() {
	s := &stack{v: []int{1, 2, 3}}
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for !s.empty() {
				s.pop()
			}
		}()
	}
	wg.Wait()
}
