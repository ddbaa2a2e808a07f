//go:build tools

package tools

import _ "github.com/CosmWasm/wasmd/cmd/wasmd"
