// Command trial replaces the page's program in tests of the loader. The first word of its "model" selects its
// behaviour.
package main
