// SPDX-License-Identifier: MIT

package io

type eofReader struct{}

func (eofReader) Read([]byte) (int, error) { return 0, EOF }

type multiReader struct{ readers []Reader }

// MultiReader reads one reader after the other.
func MultiReader(readers ...Reader) Reader {
	return &multiReader{append([]Reader(nil), readers...)}
}

func (m *multiReader) Read(p []byte) (n int, err error) {
	for len(m.readers) > 0 {
		if len(m.readers) == 1 {
			if inner, ok := m.readers[0].(*multiReader); ok {
				m.readers = inner.readers
				continue
			}
		}
		n, err = m.readers[0].Read(p)
		if err == EOF {
			m.readers[0] = eofReader{} // the slice may be shared
			m.readers = m.readers[1:]
		}
		if n > 0 || err != EOF {
			if err == EOF && len(m.readers) > 0 {
				err = nil
			}
			return
		}
	}
	return 0, EOF
}

func (m *multiReader) WriteTo(w Writer) (sum int64, err error) {
	buf := make([]byte, 32*1024)
	for i, r := range m.readers {
		n, err := copyBuffer(w, r, buf)
		sum += n
		if err != nil {
			m.readers = m.readers[i:]
			return sum, err
		}
		m.readers[i] = nil
	}
	m.readers = nil
	return sum, nil
}

type multiWriter struct{ writers []Writer }

// MultiWriter writes everything to all writers.
func MultiWriter(writers ...Writer) Writer {
	all := make([]Writer, 0, len(writers))
	for _, w := range writers {
		if m, ok := w.(*multiWriter); ok {
			all = append(all, m.writers...)
		} else {
			all = append(all, w)
		}
	}
	return &multiWriter{all}
}

func (m *multiWriter) Write(p []byte) (n int, err error) {
	for _, w := range m.writers {
		n, err = w.Write(p)
		if err != nil {
			return
		}
		if n != len(p) {
			return n, ErrShortWrite
		}
	}
	return len(p), nil
}

func (m *multiWriter) WriteString(s string) (n int, err error) {
	var p []byte
	for _, w := range m.writers {
		if sw, ok := w.(StringWriter); ok {
			n, err = sw.WriteString(s)
		} else {
			if p == nil {
				p = []byte(s)
			}
			n, err = w.Write(p)
		}
		if err != nil {
			return
		}
		if n != len(s) {
			return n, ErrShortWrite
		}
	}
	return len(s), nil
}
