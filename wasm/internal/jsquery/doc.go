// Package jsquery lets core/recommend/query read JavaScript values: requests to the embedded program, and a page's
// rules.
package jsquery
