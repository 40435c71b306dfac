//go:build !js

package training

import _ "embed"

// Fused is the module for engines with the relaxed multiply-add, and Plain the one for all others.
var (
	//go:embed fused.wasm
	Fused []byte
	//go:embed plain.wasm
	Plain []byte
)

// Link is the JavaScript module that links a program with them.
//
//go:embed training.js
var Link []byte
