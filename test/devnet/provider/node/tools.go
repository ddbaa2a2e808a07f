//go:build tools

package tools

import _ "github.com/cosmos/interchain-security/v7/cmd/interchain-security-pd"
