package server

import (
	"container/heap"
	"container/list"
	"net"
	"net/netip"
)

// client is who holds connections, as far as the network tells them apart. It is known while it holds one.
type client struct {
	key   netip.Prefix
	open  int       // connections, 1 or more
	busy  list.List // of *conn: those that are being answered
	quiet list.List // of *conn: those that may be closed to make room, the longest quiet one first
	index int       // in byQuiet
}

// clientOf returns the client of an address: the address itself, or the /64 network of an IPv6 address, whose owner
// has all of it. What is no address of TCP is one client, the zero Prefix.
func clientOf(a net.Addr) netip.Prefix {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	ip := tcp.AddrPort().Addr().Unmap()
	network, err := ip.Prefix(min(ip.BitLen(), 64))
	if err != nil {
		return netip.Prefix{}
	}
	return network
}

// byQuiet is a heap of clients. The first has the most quiet connections.
type byQuiet []*client

func (q *byQuiet) add(c *client)    { heap.Push(q, c) }
func (q *byQuiet) remove(c *client) { heap.Remove(q, c.index) }

// fix puts c in its place after its quiet connections changed.
func (q *byQuiet) fix(c *client) { heap.Fix(q, c.index) }

// Len, Less, Swap, Push and Pop are heap.Interface.

func (q byQuiet) Len() int           { return len(q) }
func (q byQuiet) Less(i, j int) bool { return q[i].quiet.Len() > q[j].quiet.Len() }

func (q byQuiet) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *byQuiet) Push(x any) {
	c := x.(*client)
	c.index = len(*q)
	*q = append(*q, c)
}

func (q *byQuiet) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return c
}
