// A second verifier of proofs, out of CometBFT's light client and the SDK's proof runtime: it reads one claim a line as JSON and
// answers one verdict a line. None of its code is Rollcall's, so both must be right where they agree.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"cosmossdk.io/store/rootmulti"
	cmtcrypto "github.com/cometbft/cometbft/crypto/merkle"
	cmtjson "github.com/cometbft/cometbft/libs/json"
	"github.com/cometbft/cometbft/light"
	crypto "github.com/cometbft/cometbft/proto/tendermint/crypto"
	"github.com/cometbft/cometbft/types"
	govv1 "github.com/cosmos/cosmos-sdk/x/gov/types/v1"
)

// A header with its commit and validators, as the RPC of a node has them.
type lightBlock struct {
	Header     *types.Header      `json:"header"`
	Commit     *types.Commit      `json:"commit"`
	Validators []*types.Validator `json:"validators"`
}

type proofOp struct {
	Type string `json:"type"`
	Key  []byte `json:"key"`
	Data []byte `json:"data"`
}

type claim struct {
	ChainID     string `json:"chainId"`
	ProposalID  uint64 `json:"proposalId"`
	TrustedHash string `json:"trustedHash"`
	// The trusted light block, then those of each hop, then the one of the proof.
	Path  []json.RawMessage `json:"path"`
	Key   string            `json:"key"`
	Value string            `json:"value"`
	Ops   []proofOp         `json:"proofOps"`
	// Of the state: the header is of the next height.
	Height int64 `json:"height"`
}

type verdict struct {
	OK     bool               `json:"ok"`
	Reason string             `json:"reason,omitempty"`
	Status string             `json:"status,omitempty"`
	Tally  *govv1.TallyResult `json:"tally,omitempty"`
}

// Far longer than a test: how old a trusted header may be is the caller's own decision.
const trustingPeriod = 100 * 365 * 24 * time.Hour

func readPath(raw []json.RawMessage, chainID string) ([]*types.LightBlock, error) {
	blocks := make([]*types.LightBlock, 0, len(raw))
	for _, text := range raw {
		var read lightBlock
		if err := cmtjson.Unmarshal(text, &read); err != nil {
			return nil, err
		}
		set, err := types.ValidatorSetFromExistingValidators(read.Validators)
		if err != nil {
			return nil, err
		}
		signed := &types.SignedHeader{Header: read.Header, Commit: read.Commit}
		block := &types.LightBlock{SignedHeader: signed, ValidatorSet: set}
		if err := block.ValidateBasic(chainID); err != nil {
			return nil, err
		}
		if err := set.VerifyCommit(chainID, read.Commit.BlockID, read.Header.Height, read.Commit); err != nil {
			return nil, err
		}
		blocks = append(blocks, block)
	}
	if len(blocks) == 0 {
		return nil, errors.New("the path is empty")
	}
	return blocks, nil
}

func checkPath(blocks []*types.LightBlock, trustedHash string) error {
	if !strings.EqualFold(blocks[0].Hash().String(), trustedHash) {
		return errors.New("the first header is not the trusted one")
	}
	for n := 1; n < len(blocks); n++ {
		from, to := blocks[n-1], blocks[n]
		err := light.Verify(from.SignedHeader, from.ValidatorSet, to.SignedHeader, to.ValidatorSet,
			trustingPeriod, time.Now(), time.Minute, light.DefaultTrustLevel)
		if err != nil {
			return fmt.Errorf("from height %d to %d: %w", from.Height, to.Height, err)
		}
	}
	return nil
}

func verify(line []byte) (*govv1.Proposal, error) {
	var asked claim
	if err := json.Unmarshal(line, &asked); err != nil {
		return nil, err
	}
	blocks, err := readPath(asked.Path, asked.ChainID)
	if err != nil {
		return nil, err
	}
	if err := checkPath(blocks, asked.TrustedHash); err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(asked.Key)
	if err != nil {
		return nil, err
	}
	value, err := base64.StdEncoding.DecodeString(asked.Value)
	if err != nil {
		return nil, err
	}
	target := blocks[len(blocks)-1]
	if target.Height != asked.Height+1 {
		return nil, errors.New("the header is not the one after the state")
	}
	ops := &crypto.ProofOps{}
	for _, op := range asked.Ops {
		ops.Ops = append(ops.Ops, crypto.ProofOp{Type: op.Type, Key: op.Key, Data: op.Data})
	}
	path := cmtcrypto.KeyPath{}.AppendKey([]byte("gov"), cmtcrypto.KeyEncodingURL).
		AppendKey(key, cmtcrypto.KeyEncodingHex)
	err = rootmulti.DefaultProofRuntime().VerifyValue(ops, target.AppHash, path.String(), value)
	if err != nil {
		return nil, err
	}
	proposal := &govv1.Proposal{}
	if err := proposal.Unmarshal(value); err != nil {
		return nil, err
	}
	if proposal.Id != asked.ProposalID {
		return nil, errors.New("the value is of another proposal")
	}
	return proposal, nil
}

func answer(line []byte) (found verdict) {
	defer func() {
		if fault := recover(); fault != nil {
			found = verdict{Reason: fmt.Sprint(fault)}
		}
	}()
	proposal, err := verify(line)
	if err != nil {
		return verdict{Reason: err.Error()}
	}
	return verdict{OK: true, Status: proposal.Status.String(), Tally: proposal.FinalTallyResult}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		if err := out.Encode(answer(lines.Bytes())); err != nil {
			panic(err)
		}
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
}
