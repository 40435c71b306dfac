//go:build !js

package server

import (
	"container/heap"
	"container/list"
	"net"
	"net/netip"
)

// client is an owner of connections, as far as the network can tell. It is tracked while it has one.
type client struct {
	key   netip.Prefix
	open  int       // connections, 1 or more
	busy  list.List // of *conn: requests in progress
	quiet list.List // of *conn: can be closed to make room, longest quiet first
	index int       // in byQuiet
}

// clientOf returns the client of an address: the address, or the /64 network of an IPv6 address, which belongs to one
// owner. Addresses other than TCP are one client, the zero Prefix.
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

// byQuiet is a heap of clients, most quiet connections first.
type byQuiet []*client

func (q *byQuiet) add(c *client)    { heap.Push(q, c) }
func (q *byQuiet) remove(c *client) { heap.Remove(q, c.index) }

// fix restores the heap after a change of c's quiet connections.
func (q *byQuiet) fix(c *client) { heap.Fix(q, c.index) }

// Len, Less, Swap, Push and Pop implement heap.Interface.

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
