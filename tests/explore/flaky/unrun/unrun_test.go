package unrun

import "testing"

func TestUnrun(t *testing.T) {}
