//go:build !js

package kernel

import _ "embed"

// Module is the compiled module, for those who serve it. The page's program does not carry it: the loader fetches it.
//
//go:embed kernel.wasm
var Module []byte
