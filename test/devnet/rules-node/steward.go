package main

import (
	"bytes"
	"context"
	"time"

	"cosmossdk.io/collections"

	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	govkeeper "github.com/cosmos/cosmos-sdk/x/gov/keeper"
	govtypes "github.com/cosmos/cosmos-sdk/x/gov/types"
	govv1 "github.com/cosmos/cosmos-sdk/x/gov/types/v1"
)

const prolongation = 8 * time.Second

// vetoed is a status of AtomOne's x/gov (atomone-hub/atomone v4.0.0, x/coredaos/keeper/msg_server.go). Cosmos SDK's has no
// such number.
const vetoed = govv1.ProposalStatus(6)

// govHooks change a vote without an event: the metadata of the steward's vote says how. They also end the epoch when a vote
// closes, and refuse option 4 on chains without it.
type govHooks struct {
	govtypes.MultiGovHooks
	gov     *govkeeper.Keeper
	steward collections.Item[[]byte]
	epochs  *epochs
	hasVeto bool
}

func (h govHooks) AfterProposalVotingPeriodEnded(ctx context.Context, _ uint64) error {
	return h.epochs.isEnded.Set(ctx, true)
}

func (h govHooks) AfterProposalVote(ctx context.Context, id uint64, voter sdk.AccAddress) error {
	vote, err := h.gov.Votes.Get(ctx, collections.Join(id, voter))
	if err != nil {
		return err
	}
	for _, each := range vote.Options {
		if each.Option == govv1.OptionNoWithVeto && !h.hasVeto {
			return sdkerrors.ErrInvalidRequest.Wrap("this chain has no veto")
		}
	}
	steward, err := h.steward.Get(ctx)
	if err != nil || !bytes.Equal(steward, voter) {
		return err
	}
	proposal, err := h.gov.Proposals.Get(ctx, id)
	if err != nil {
		return err
	}
	switch vote.Metadata {
	case "veto":
		return h.veto(ctx, proposal)
	case "prolong":
		return h.moveEnd(ctx, proposal, proposal.VotingEndTime.Add(prolongation))
	case "end":
		return h.moveEnd(ctx, proposal, sdk.UnwrapSDKContext(ctx).BlockTime())
	}
	return nil
}

func (h govHooks) moveEnd(ctx context.Context, proposal govv1.Proposal, end time.Time) error {
	if err := h.gov.ActiveProposalsQueue.Remove(ctx, collections.Join(*proposal.VotingEndTime, proposal.Id)); err != nil {
		return err
	}
	proposal.VotingEndTime = &end
	if err := h.gov.ActiveProposalsQueue.Set(ctx, collections.Join(end, proposal.Id), proposal.Id); err != nil {
		return err
	}
	return h.gov.SetProposal(ctx, proposal)
}

func (h govHooks) veto(ctx context.Context, proposal govv1.Proposal) error {
	if err := h.gov.ActiveProposalsQueue.Remove(ctx, collections.Join(*proposal.VotingEndTime, proposal.Id)); err != nil {
		return err
	}
	if err := h.gov.RefundAndDeleteDeposits(ctx, proposal.Id); err != nil {
		return err
	}
	votes := collections.NewPrefixedPairRange[uint64, sdk.AccAddress](proposal.Id)
	if err := h.gov.Votes.Clear(ctx, votes); err != nil {
		return err
	}
	now, empty := sdk.UnwrapSDKContext(ctx).BlockTime(), govv1.EmptyTallyResult()
	proposal.Status, proposal.VotingEndTime, proposal.FinalTallyResult = vetoed, &now, &empty
	return h.gov.SetProposal(ctx, proposal)
}
