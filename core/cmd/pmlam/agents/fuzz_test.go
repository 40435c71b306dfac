package agents

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// FuzzCalls: any arguments of any tool are answered or refused with a sentence, never by a panic.
func FuzzCalls(f *testing.F) {
	for i, t := range tools {
		for _, k := range tasks {
			if k.tool == t.name {
				f.Add(uint8(i), []byte(k.args))
			}
		}
	}
	f.Add(uint8(len(tools)-1), []byte(`{"like":["Heat"],"forget":["id:1"]}`))
	s := &server{engine: engine(f)}
	f.Fuzz(func(t *testing.T, which uint8, args []byte) {
		if len(args) > 1<<14 {
			return
		}
		tool := tools[int(which)%len(tools)]
		read, err := s.arguments(tool, args)
		if err == nil && tool.answer == nil {
			_, err = s.changes(read)
		} else if err == nil {
			_, err = tool.answer(s, read)
		}
		if err == nil {
			return
		}
		if err.Error() == "" {
			t.Errorf("%s %q: an empty error", tool.name, args)
		}
		if _, err := failed(err); err != nil {
			t.Error(err)
		}
	})
}

// FuzzLines: any line is a message, nothing, or an error to send.
func FuzzLines(f *testing.F) {
	for _, line := range []string{start, "", "[]", `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":{}}`} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		l := &lines{open: map[any]bool{}}
		for range 2 {
			m, wrong := l.message(line)
			if m != nil && wrong != nil {
				t.Errorf("%q is a message and an error", line)
			}
			if m == nil {
				continue
			}
			if _, err := jsonrpc.EncodeMessage(m); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
	})
}
