// end: panic or fatal error
// within: 200
// says: panic: close of closed channel

package main

import "sync"

type server struct{ quit chan bool }

func (s *server) stop() {
	select {
	case <-s.quit:
	default:
		close(s.quit)
	}
}

func main() {
	s := &server{make(chan bool)}
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.stop()
		}()
	}
	wg.Wait()
}
