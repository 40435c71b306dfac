// Package jsquery gives core/recommend/query the values of JavaScript: requests to the embedded program, and the rules
// that a page states.
package jsquery
