// fatal
// SPDX-License-Identifier: MIT

package main

func idle() {
	select {}
}

func main() {
	idle()
}
