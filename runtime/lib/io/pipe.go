// SPDX-License-Identifier: MIT

package io

// mutex is a lock made of a channel, so that package io, which every program
// loads, does not load package sync.
type mutex chan struct{}

func (m mutex) lock() { m <- struct{}{} }

func (m mutex) unlock() { <-m }

// pipe is what the two ends share. A writer offers its bytes on data and
// learns on ack how many were taken.
type pipe struct {
	writing mutex // one Write at a time
	data    chan []byte
	ack     chan int

	done chan struct{}

	mu     mutex
	closed bool  // done is closed
	rerr   error // why the reading end was closed
	werr   error // why the writing end was closed
}

// Pipe makes a synchronous pipe in memory.
func Pipe() (*PipeReader, *PipeWriter) {
	p := &pipe{
		writing: make(mutex, 1),
		data:    make(chan []byte),
		ack:     make(chan int),
		done:    make(chan struct{}),
		mu:      make(mutex, 1),
	}
	return &PipeReader{p}, &PipeWriter{p}
}

func (p *pipe) close(slot *error, err error) {
	p.mu.lock()
	if *slot == nil {
		*slot = err
	}
	if !p.closed {
		p.closed = true
		close(p.done)
	}
	p.mu.unlock()
}

func (p *pipe) readError() error {
	p.mu.lock()
	defer p.mu.unlock()
	if p.rerr == nil && p.werr != nil {
		return p.werr
	}
	return ErrClosedPipe
}

func (p *pipe) writeError() error {
	p.mu.lock()
	defer p.mu.unlock()
	if p.werr == nil && p.rerr != nil {
		return p.rerr
	}
	return ErrClosedPipe
}

func (p *pipe) read(b []byte) (int, error) {
	select {
	case <-p.done:
		return 0, p.readError()
	default:
	}
	select {
	case data := <-p.data:
		n := copy(b, data)
		p.ack <- n
		return n, nil
	case <-p.done:
		return 0, p.readError()
	}
}

func (p *pipe) write(b []byte) (n int, err error) {
	select {
	case <-p.done:
		return 0, p.writeError()
	default:
		p.writing.lock()
		defer p.writing.unlock()
	}
	for first := true; first || len(b) > 0; first = false {
		select {
		case p.data <- b:
			k := <-p.ack
			b = b[k:]
			n += k
		case <-p.done:
			return n, p.writeError()
		}
	}
	return n, nil
}

// A PipeReader is the reading end of a pipe.
type PipeReader struct{ p *pipe }

func (r *PipeReader) Read(data []byte) (n int, err error) { return r.p.read(data) }

// Close makes writes fail with ErrClosedPipe.
func (r *PipeReader) Close() error { return r.CloseWithError(nil) }

// CloseWithError makes writes fail with err.
func (r *PipeReader) CloseWithError(err error) error {
	if err == nil {
		err = ErrClosedPipe
	}
	r.p.close(&r.p.rerr, err)
	return nil
}

// A PipeWriter is the writing end of a pipe.
type PipeWriter struct{ p *pipe }

func (w *PipeWriter) Write(data []byte) (n int, err error) { return w.p.write(data) }

// Close makes reads end with EOF.
func (w *PipeWriter) Close() error { return w.CloseWithError(nil) }

// CloseWithError makes reads fail with err.
func (w *PipeWriter) CloseWithError(err error) error {
	if err == nil {
		err = EOF
	}
	w.p.close(&w.p.werr, err)
	return nil
}
