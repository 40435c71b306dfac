// Package agents answers AI agents over the Model Context Protocol: the tools recommend, similar, search and explain,
// and remember, which writes marks to a file of the user's only after their yes.
//
// Requests have the vocabulary of the HTTP API (core/recommend/query), and answers have its bytes
// (core/recommend/answer). In addition, items can be named by title. A title that fits no item or several is an error
// with candidates.
//
// In the flow: pmlam mcp → agents → recommend.
package agents
