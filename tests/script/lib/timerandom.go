// run
// SPDX-License-Identifier: MIT

// Random times in random layouts, what is parsed of them again, right and
// spoilt, and what is calculated with them, as one number for each hundred.

package main

import (
	"fmt"
	"hash/fnv"
	"math/rand"
	"time"
)

var pieces = []string{"January", "Jan", "Januar", "Janu", "Monday", "Mon", "Mond", "MST", "01", "02", "03", "04", "05", "06", "07", "00", "002", "0", "15", "1", "16", "2006", "200", "2", "_2", "__2", "_2006", "__2006", "_", "3", "4", "5", "PM", "pm", "P", "p", "-07", "-0700", "-07:00", "-070000", "-07:00:00", "Z07", "Z0700", "Z07:00", "Z070000", "Z07:00:00", "Z", "-", ".000", ".999", ",000", ".0", ".9", ".00001", ".", " ", "  ", ":", "T", "x", "é", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05.999999999Z07:00", "15:04:05"}

func main() {
	const n = 3000
	r := rand.New(rand.NewSource(1))
	h := fnv.New64a()
	time.Local = time.FixedZone("LCL", -5*3600)
	locs := []*time.Location{time.UTC, time.FixedZone("ABC", 3600), time.FixedZone("", -12345), time.FixedZone("X", 0), time.FixedZone("", 19800)}
	std := []string{time.RFC3339, time.RFC3339Nano, time.RFC1123Z, time.DateTime, time.Layout, time.UnixDate}
	for i := range n {
		layout := std[r.Intn(len(std))]
		if r.Intn(3) > 0 {
			layout = ""
			for range 1 + r.Intn(6) {
				layout += pieces[r.Intn(len(pieces))]
			}
		}
		sec := r.Int63n(4e9) - 1e9
		switch r.Intn(12) {
		case 0:
			sec = r.Int63() - r.Int63()
		case 1:
			sec = r.Int63n(600e9) - 300e9
		}
		ns := r.Int63n(1e9)
		if r.Intn(3) == 0 {
			ns = 0
		}
		t := time.Unix(sec, ns).In(locs[r.Intn(len(locs))])
		s := t.Format(layout)
		b := []byte(s)
		for range r.Intn(3) {
			if len(b) == 0 {
				break
			}
			switch k := r.Intn(len(b)); r.Intn(4) {
			case 0:
				b[k] = "0123456789+-:.,ZT 9"[r.Intn(19)]
			case 1:
				b = append(b[:k], b[k+1:]...)
			case 2:
				b = append(b[:k+1], b[k:]...)
			}
		}
		l2 := layout
		if r.Intn(4) == 0 {
			l2 = std[r.Intn(len(std))]
		}
		u, err := time.ParseInLocation(l2, string(b), locs[r.Intn(len(locs))])
		v, err2 := time.Parse(l2, string(b))
		d := time.Duration(r.Int63()>>uint(r.Intn(63))) * time.Duration(1-2*r.Intn(2))
		w := time.Unix(r.Int63n(1<<uint(1+r.Intn(60)))-5, ns)
		dd := d
		if dd < 0 {
			dd = -dd
		}
		if r.Intn(2) == 0 {
			dd = dd / 1e9 * 1e9
		}
		mj, err3 := t.MarshalJSON()
		var x time.Time
		err4 := x.UnmarshalJSON([]byte(`"` + string(b) + `"`))
		line := fmt.Sprintln(i, layout, s, string(b), l2, u, err, v, err2, d, t.Sub(w), w.Sub(t), t.Before(w), t.After(w), t.Equal(w), t.Compare(w), t.Truncate(dd), t.Round(dd), w.Truncate(dd), string(mj), err3, x, err4, t.Location(), u.Location(), u.GoString(), time.Date(t.Year(), time.Month(r.Intn(40)-10), r.Intn(90)-20, r.Intn(60)-20, r.Intn(200)-50, r.Intn(200)-50, r.Intn(3e9)-1e9, t.Location()))
		h.Write([]byte(line))
		if i%100 == 99 {
			fmt.Println(i+1, h.Sum64())
		}
	}
}
