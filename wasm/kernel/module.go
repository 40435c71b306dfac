//go:build !js

package kernel

import _ "embed"

// Module is the compiled module, for servers and tests. It is not linked into the page's program: the loader fetches
// it.
//
//go:embed kernel.wasm
var Module []byte
