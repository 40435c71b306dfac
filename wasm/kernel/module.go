//go:build !js

package kernel

import _ "embed"

// Module is the compiled module, for servers and tests. The page's program does not link it; the loader fetches it.
//
//go:embed kernel.wasm
var Module []byte
