package agents

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// MaxLine is the greatest length of a message in bytes.
const MaxLine = 1 << 20

// maxOpen is the greatest number of calls that wait for an answer.
const maxOpen = 256

// Serve answers one client, which writes a message a line, until in ends or ctx is done. A line that is no message is
// answered with an error, and does not end the session.
func Serve(ctx context.Context, s *mcp.Server, in io.Reader, out io.Writer) error {
	l := &lines{out: out, in: make(chan []byte), closed: make(chan struct{}), open: map[any]bool{}}
	go l.read(in)
	session, err := s.Connect(context.WithoutCancel(ctx), l, nil)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { l.Close() })()
	err = session.Wait()
	if l.failed != nil {
		return l.failed
	}
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// lines is a connection over lines of JSON. The SDK's own ends with the first line that is no message.
type lines struct {
	in     chan []byte // nil: a line that is too long
	once   sync.Once
	closed chan struct{}

	mu     sync.Mutex // guards the fields below
	out    io.Writer
	open   map[any]bool // calls without an answer
	failed error        // of out
}

func (l *lines) Connect(context.Context) (mcp.Connection, error) { return l, nil }
func (l *lines) SessionID() string                               { return "" }

// Close ends the session: Read returns io.EOF.
func (l *lines) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// read passes the lines on until in ends. It may stay blocked in a read after Close.
func (l *lines) read(in io.Reader) {
	defer close(l.in)
	for r := bufio.NewReader(in); ; {
		line, err := readLine(r)
		if err == nil || len(line) > 0 {
			select {
			case l.in <- line:
			case <-l.closed:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// readLine returns a line without its end, or nil for one of more than MaxLine bytes, which it reads to its end.
func readLine(r *bufio.Reader) (line []byte, err error) {
	line = []byte{}
	for {
		part, err := r.ReadSlice('\n')
		if line != nil {
			line = append(line, part...)
		}
		if len(line) > MaxLine {
			line = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// Read returns the next message, and answers lines that are none.
func (l *lines) Read(context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-l.closed:
			return nil, io.EOF
		case line, ok := <-l.in:
			if !ok {
				return nil, io.EOF
			}
			m, wrong := l.message(line)
			if wrong != nil {
				if err := l.put(wrong); err != nil {
					return nil, err
				}
			} else if m != nil {
				return m, nil
			}
		}
	}
}

// message decodes a line: a message, nothing for an empty line, or the answer to a wrong one.
func (l *lines) message(line []byte) (m jsonrpc.Message, wrong []byte) {
	if line == nil {
		return nil, problem(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a line is longer than %d bytes", MaxLine))
	}
	if line = bytes.TrimSpace(line); len(line) == 0 {
		return nil, nil
	}
	if !json.Valid(line) {
		return nil, problem(nil, jsonrpc.CodeParseError, "a line is not JSON; write one message on each line")
	}
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil, problem(nil, jsonrpc.CodeInvalidRequest, "a line is not a message of JSON-RPC 2.0; batches are "+
			"not supported")
	}
	if call, ok := m.(*jsonrpc.Request); ok && call.IsCall() {
		l.mu.Lock()
		defer l.mu.Unlock()
		id := call.ID.Raw()
		switch {
		case l.open[id]:
			return nil, problem(id, jsonrpc.CodeInvalidRequest, "another call with this id is not answered yet")
		case len(l.open) == maxOpen:
			return nil, problem(id, jsonrpc.CodeInternalError,
				fmt.Sprintf("%d calls wait for an answer; wait for one of them", maxOpen))
		}
		l.open[id] = true
	}
	return m, nil
}

// problem returns an error of JSON-RPC as a line. id is nil if it could not be read.
func problem(id any, code int, sentence string) []byte {
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id,
		"error": map[string]any{"code": code, "message": sentence}})
	if err != nil {
		panic(err) // not reached: a text or a number
	}
	return b
}

// Write sends a message.
func (l *lines) Write(_ context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	if answer, ok := m.(*jsonrpc.Response); ok {
		l.mu.Lock()
		delete(l.open, answer.ID.Raw())
		l.mu.Unlock()
	}
	return l.put(text)
}

func (l *lines) put(line []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.out.Write(append(line, '\n'))
	if err != nil && l.failed == nil {
		l.failed = fmt.Errorf("the answer could not be written: %w", err)
	}
	return err
}
