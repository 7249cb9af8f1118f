// fatal
// SPDX-License-Identifier: MIT

package main

type hub struct{ events chan int }

func (h *hub) emit(n int) { h.events <- n }

func main() {
	var h hub
	h.emit(1)
}
