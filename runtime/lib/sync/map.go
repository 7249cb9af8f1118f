// SPDX-License-Identifier: MIT

package sync

// A Map is a map[any]any that goroutines may use without other locking; the
// zero value is empty. All it holds is guarded by one lock; Range works on a
// list of the keys, so that its function may use the map.
type Map struct {
	_  noCopy
	mu RWMutex
	m  map[any]any
}

// Load returns the value of key.
func (m *Map) Load(key any) (value any, ok bool) {
	m.mu.RLock()
	defer m.mu.RUnlock() // an unhashable key panics
	value, ok = m.m[key]
	return value, ok
}

// Store sets the value of key.
func (m *Map) Store(key, value any) {
	m.Swap(key, value)
}

// Clear deletes all entries.
func (m *Map) Clear() {
	m.mu.Lock()
	m.m = nil
	m.mu.Unlock()
}

// Swap sets the value of key and returns the one it had.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.m == nil {
		m.m = make(map[any]any)
	}
	previous, loaded = m.m[key]
	m.m[key] = value
	return previous, loaded
}

// LoadOrStore returns the value of key, which it sets if there is none.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	if v, ok := m.Load(key); ok {
		return v, true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.m[key]; ok {
		return v, true
	}
	if m.m == nil {
		m.m = make(map[any]any)
	}
	m.m[key] = value
	return value, false
}

// Delete deletes key.
func (m *Map) Delete(key any) {
	m.LoadAndDelete(key)
}

// LoadAndDelete deletes key and returns the value it had.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, loaded = m.m[key]
	delete(m.m, key)
	return value, loaded
}

// CompareAndSwap sets the value of key to new if it is old, which must be
// comparable.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.m[key]; !ok || v != old {
		return false
	}
	m.m[key] = new
	return true
}

// CompareAndDelete deletes key if its value is old, which must be comparable.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.m[key]; !ok || v != old {
		return false
	}
	delete(m.m, key)
	return true
}

// Range calls f for each key that was there at the beginning and still is,
// until f returns false.
func (m *Map) Range(f func(key, value any) bool) {
	m.mu.RLock()
	keys := make([]any, 0, len(m.m))
	for k := range m.m {
		keys = append(keys, k)
	}
	m.mu.RUnlock()
	for _, k := range keys {
		if v, ok := m.Load(k); ok && !f(k, v) {
			return
		}
	}
}
