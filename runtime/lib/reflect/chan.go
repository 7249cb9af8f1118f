// SPDX-License-Identifier: MIT

package reflect

import (
	"internal/rt"
	"unsafe"
)

// MakeChan makes a channel of the channel type t.
func MakeChan(t Type, buffer int) Value {
	if t.Kind() != Chan {
		panic("reflect.MakeChan of non-chan type")
	}
	if buffer < 0 {
		panic("reflect.MakeChan: negative buffer size")
	}
	if t.ChanDir() != BothDir {
		panic("reflect.MakeChan: unidirectional channel type")
	}
	return pointer(t.desc(), rt.MakeChan(t.desc(), buffer), 0)
}

// newCell is room for a value of type t in slots; see rt.Comm.
func newCell(t rt.Type) unsafe.Pointer {
	size := rt.Size(t)
	if size%8 == 0 {
		return rt.New(t, 1)
	}
	return unsafe.Pointer(unsafe.SliceData(make([]uint64, size/8+1)))
}

// cellOf is v in slots.
func cellOf(v Value) unsafe.Pointer {
	cell := newCell(v.t)
	switch k := v.kind(); {
	case k == rt.Float32:
		*(*uint64)(cell) = uint64(*(*uint32)(v.p))
	case k <= rt.Uintptr:
		*(*uint64)(cell) = rt.Load(k, v.p)
	default:
		rt.Copy(v.t, cell, v.addr())
	}
	return cell
}

// comm is the communication on the channel c: with a value to send, x.
func comm(c Value, dir ChanDir, x Value, context, wrong string) rt.Comm {
	if ChanDir(rt.ChanDir(c.t))&dir == 0 {
		panic(wrong)
	}
	if dir == RecvDir {
		return rt.Comm{Chan: c.word(), Cell: newCell(rt.Elem(c.t))}
	}
	x.exported(context)
	x = x.assignTo(context, rt.Elem(c.t))
	return rt.Comm{Chan: c.word(), Cell: cellOf(x), Send: true}
}

// check panics unless v is a channel that method may be called of.
func (v Value) channel(method string) {
	v.need(method, rt.Chan)
	v.exportedFor(method)
}

func (v Value) recv(block bool) (Value, bool) {
	c := comm(v, RecvDir, Value{}, "", "reflect: recv on send-only channel")
	rt.Select([]rt.Comm{c}, block)
	chosen, ok := rt.Selected()
	if chosen < 0 {
		return Value{}, false
	}
	return loadedCopy(rt.Elem(v.t), c.Cell, 0), ok
}

func (v Value) send(x Value, block bool) bool {
	c := comm(v, SendDir, x, "reflect.Value.Send", "reflect: send on recv-only channel")
	rt.Select([]rt.Comm{c}, block)
	chosen, _ := rt.Selected()
	return chosen >= 0
}

// Recv receives from a channel; ok is false if that is closed.
func (v Value) Recv() (x Value, ok bool) {
	v.channel("Recv")
	return v.recv(true)
}

// TryRecv receives without waiting; x is invalid if it would have to.
func (v Value) TryRecv() (x Value, ok bool) {
	v.channel("TryRecv")
	return v.recv(false)
}

// Send sends x to a channel.
func (v Value) Send(x Value) {
	v.channel("Send")
	v.send(x, true)
}

// TrySend sends x without waiting, and reports whether it has.
func (v Value) TrySend(x Value) bool {
	v.channel("TrySend")
	return v.send(x, false)
}

// Close closes a channel.
func (v Value) Close() {
	v.channel("Close")
	if ChanDir(rt.ChanDir(v.t))&SendDir == 0 {
		panic("reflect: close of receive-only channel")
	}
	rt.Close(v.word())
}

// A SelectDir says what a SelectCase does.
type SelectDir int

const (
	_ SelectDir = iota
	SelectSend
	SelectRecv
	SelectDefault
)

// A SelectCase is a case of Select. One whose Chan is invalid never happens.
type SelectCase struct {
	Dir  SelectDir
	Chan Value
	Send Value // the value to send
}

// comm is the communication of the case, which is not the default.
func (c SelectCase) comm() rt.Comm {
	if c.Dir == SelectRecv && c.Send.IsValid() {
		panic("reflect.Select: RecvDir case has Send value")
	}
	if !c.Chan.IsValid() {
		return rt.Comm{Send: c.Dir == SelectSend}
	}
	// Go's checks are in functions of no exported method.
	if c.Chan.kind() != rt.Chan {
		panic(&ValueError{"unknown method", c.Chan.Kind()})
	}
	c.Chan.exported("unknown method")
	if c.Dir == SelectRecv {
		return comm(c.Chan, RecvDir, c.Send, "",
			"reflect.Select: RecvDir case using send-only channel")
	}
	if ChanDir(rt.ChanDir(c.Chan.t))&SendDir != 0 && !c.Send.IsValid() {
		panic("reflect.Select: SendDir case missing Send value")
	}
	return comm(c.Chan, SendDir, c.Send, "reflect.Select",
		"reflect.Select: SendDir case using recv-only channel")
}

// Select does one of the cases, as a select statement does; recv and recvOK
// are what has been received, if that was its case.
func Select(cases []SelectCase) (chosen int, recv Value, recvOK bool) {
	if len(cases) > 65536 {
		panic("reflect.Select: too many cases (max 65536)")
	}
	comms := make([]rt.Comm, 0, len(cases))
	index := make([]int, 0, len(cases)) // of each communication's case
	def := -1
	for i, c := range cases {
		switch c.Dir {
		case SelectSend, SelectRecv:
			comms = append(comms, c.comm())
			index = append(index, i)
		case SelectDefault:
			if def >= 0 {
				panic("reflect.Select: multiple default cases")
			}
			if c.Chan.IsValid() {
				panic("reflect.Select: default case has Chan value")
			}
			if c.Send.IsValid() {
				panic("reflect.Select: default case has Send value")
			}
			def = i
		default:
			panic("reflect.Select: invalid Dir")
		}
	}
	rt.Select(comms, def < 0)
	k, ok := rt.Selected()
	if k < 0 {
		return def, Value{}, false
	}
	chosen = index[k]
	if c := cases[chosen]; c.Dir == SelectRecv {
		return chosen, loadedCopy(rt.Elem(c.Chan.t), comms[k].Cell, 0), ok
	}
	return chosen, Value{}, false
}
