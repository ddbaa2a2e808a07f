package main

import (
	"bytes"
	"context"
	"errors"
	"sort"

	"cosmossdk.io/collections"
	"cosmossdk.io/math"

	"github.com/cosmos/cosmos-sdk/codec"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/bech32"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	stakingkeeper "github.com/cosmos/cosmos-sdk/x/staking/keeper"
	stakingtypes "github.com/cosmos/cosmos-sdk/x/staking/types"

	"rollcall.test/rules-node/gen/atomone"
)

// governors vote with the stake of those who chose them and did not vote, as on AtomOne v4 (atomone-hub/cosmos-sdk
// v0.500.1, x/gov/keeper: governor.go, delegation.go, hooks.go, tally.go).
type governors struct {
	staking *stakingkeeper.Keeper
	// The same bytes are an account's and a governor's address.
	all     collections.Map[sdk.AccAddress, atomone.Governor]
	chosen  collections.Map[sdk.AccAddress, atomone.GovernanceDelegation]
	minimum collections.Item[math.Int]
}

func newGovernors(
	schema *collections.SchemaBuilder, cdc codec.BinaryCodec, staking *stakingkeeper.Keeper,
) *governors {
	all, chosen := codec.CollValue[atomone.Governor](cdc), codec.CollValue[atomone.GovernanceDelegation](cdc)
	return &governors{
		staking: staking,
		all:     collections.NewMap(schema, collections.NewPrefix("governors/all"), "governors", sdk.AccAddressKey, all),
		chosen:  collections.NewMap(schema, collections.NewPrefix("governors/chosen"), "chosen", sdk.AccAddressKey, chosen),
		minimum: collections.NewItem(schema, collections.NewPrefix("governors/minimum"), "minimum", sdk.IntValue),
	}
}

func governorPrefix() string {
	return sdk.GetConfig().GetBech32AccountAddrPrefix() + "gov"
}

func governorAddress(account sdk.AccAddress) string {
	text, err := bech32.ConvertAndEncode(governorPrefix(), account)
	if err != nil {
		panic(err)
	}
	return text
}

func accountOf(governor string) (sdk.AccAddress, error) {
	return sdk.GetFromBech32(governor, governorPrefix())
}

// inherit gives each governor that voted the rest of the stake of those who chose it.
func (g *governors) inherit(ctx context.Context, ballots []ballot, of validators) (bequests []bequest, err error) {
	for _, each := range ballots {
		if counts, err := g.counts(ctx, each.voter); err != nil {
			return nil, err
		} else if !counts {
			continue
		}
		rest, err := g.shares(ctx, each.voter)
		if err != nil {
			return nil, err
		}
		for _, other := range ballots {
			if choice, err := g.choice(ctx, other.voter); err != nil {
				return nil, err
			} else if !bytes.Equal(choice, each.voter) {
				continue
			}
			for _, held := range other.stakes {
				rest[held.validator] = rest[held.validator].Sub(held.shares)
			}
		}
		power := math.LegacyZeroDec()
		for validator, shares := range rest {
			if info, ok := of[validator]; ok {
				power = power.Add(powerOf(shares, info))
			}
		}
		bequests = append(bequests, bequest{each.options, power})
	}
	return bequests, nil
}

// counts says whether the account is an active governor with enough stake of its own.
func (g *governors) counts(ctx context.Context, account sdk.AccAddress) (bool, error) {
	governor, err := g.all.Get(ctx, account)
	if errors.Is(err, collections.ErrNotFound) {
		return false, nil
	}
	if err != nil || governor.Status != atomone.GovernorStatus_GOVERNOR_STATUS_ACTIVE {
		return false, err
	}
	return g.hasMinimum(ctx, account)
}

func (g *governors) hasMinimum(ctx context.Context, account sdk.AccAddress) (bool, error) {
	minimum, err := g.minimum.Get(ctx)
	if err != nil {
		return false, err
	}
	own := math.ZeroInt()
	held, err := g.staking.GetAllDelegatorDelegations(ctx, account)
	for _, each := range held {
		operator, _ := sdk.ValAddressFromBech32(each.ValidatorAddress)
		validator, err := g.staking.GetValidator(ctx, operator)
		if err != nil {
			return false, err
		}
		tokens := each.Shares.MulInt(validator.BondedTokens()).Quo(validator.GetDelegatorShares())
		own = own.Add(tokens.TruncateInt())
	}
	return own.GTE(minimum), err
}

// choice answers nil for an account without a governor.
func (g *governors) choice(ctx context.Context, account sdk.AccAddress) (sdk.AccAddress, error) {
	found, err := g.chosen.Get(ctx, account)
	if errors.Is(err, collections.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return accountOf(found.GovernorAddress)
}

// shares of every validator that the delegators of a governor hold. AtomOne keeps these sums; here they are computed.
func (g *governors) shares(ctx context.Context, governor sdk.AccAddress) (map[string]math.LegacyDec, error) {
	sums := map[string]math.LegacyDec{}
	delegators, err := g.delegators(ctx, governor)
	for _, delegator := range delegators {
		held, err := g.staking.GetAllDelegatorDelegations(ctx, sdk.MustAccAddressFromBech32(delegator.DelegatorAddress))
		if err != nil {
			return nil, err
		}
		for _, each := range held {
			if _, ok := sums[each.ValidatorAddress]; !ok {
				sums[each.ValidatorAddress] = math.LegacyZeroDec()
			}
			sums[each.ValidatorAddress] = sums[each.ValidatorAddress].Add(each.Shares)
		}
	}
	return sums, err
}

func (g *governors) delegators(
	ctx context.Context, governor sdk.AccAddress,
) (found []*atomone.GovernanceDelegation, err error) {
	text := governorAddress(governor)
	err = g.chosen.Walk(ctx, nil, func(_ sdk.AccAddress, each atomone.GovernanceDelegation) (bool, error) {
		if each.GovernorAddress == text {
			found = append(found, &each)
		}
		return false, nil
	})
	return found, err
}

// governorHooks make a governor inactive that no longer has enough stake, without an event.
type governorHooks struct {
	stakingtypes.MultiStakingHooks
	governors *governors
}

func (h governorHooks) AfterDelegationModified(ctx context.Context, account sdk.AccAddress, _ sdk.ValAddress) error {
	governor, err := h.governors.all.Get(ctx, account)
	if errors.Is(err, collections.ErrNotFound) {
		return nil
	}
	if err != nil || governor.Status != atomone.GovernorStatus_GOVERNOR_STATUS_ACTIVE {
		return err
	}
	if enough, err := h.governors.hasMinimum(ctx, account); err != nil || enough {
		return err
	}
	return h.governors.setStatus(ctx, account, governor, atomone.GovernorStatus_GOVERNOR_STATUS_INACTIVE)
}

func (g *governors) setStatus(
	ctx context.Context, account sdk.AccAddress, governor atomone.Governor, status atomone.GovernorStatus,
) error {
	now := sdk.UnwrapSDKContext(ctx).BlockTime()
	governor.Status, governor.LastStatusChangeTime = status, &now
	return g.all.Set(ctx, account, governor)
}

func (g *governors) choose(ctx context.Context, delegator, governor sdk.AccAddress) error {
	return g.chosen.Set(ctx, delegator, atomone.GovernanceDelegation{
		DelegatorAddress: delegator.String(),
		GovernorAddress:  governorAddress(governor),
	})
}

func emitEvent(ctx context.Context, name string, pairs ...string) {
	event := sdk.NewEvent(name)
	for index := 0; index < len(pairs); index += 2 {
		event = event.AppendAttributes(sdk.NewAttribute(pairs[index], pairs[index+1]))
	}
	sdk.UnwrapSDKContext(ctx).EventManager().EmitEvent(event)
}

func (g *governors) CreateGovernor(
	ctx context.Context, msg *atomone.MsgCreateGovernor,
) (*atomone.MsgCreateGovernorResponse, error) {
	account := sdk.MustAccAddressFromBech32(msg.Address)
	if enough, err := g.hasMinimum(ctx, account); err != nil || !enough {
		return nil, errors.Join(err, sdkerrors.ErrInvalidRequest.Wrap("too little stake of its own"))
	}
	governor := atomone.Governor{GovernorAddress: governorAddress(account), Description: msg.Description}
	if err := g.setStatus(ctx, account, governor, atomone.GovernorStatus_GOVERNOR_STATUS_ACTIVE); err != nil {
		return nil, err
	}
	emitEvent(ctx, "create_governor", "governor", governor.GovernorAddress)
	return &atomone.MsgCreateGovernorResponse{}, g.choose(ctx, account, account)
}

func (g *governors) UpdateGovernorStatus(
	ctx context.Context, msg *atomone.MsgUpdateGovernorStatus,
) (*atomone.MsgUpdateGovernorStatusResponse, error) {
	account := sdk.MustAccAddressFromBech32(msg.Address)
	governor, err := g.all.Get(ctx, account)
	if err != nil {
		return nil, err
	}
	status := "inactive"
	if msg.Status == atomone.GovernorStatus_GOVERNOR_STATUS_ACTIVE {
		status = "active"
		if enough, err := g.hasMinimum(ctx, account); err != nil || !enough {
			return nil, errors.Join(err, sdkerrors.ErrInvalidRequest.Wrap("too little stake of its own"))
		}
	}
	emitEvent(ctx, "governor_change_status", "governor", governor.GovernorAddress, "status", status)
	return &atomone.MsgUpdateGovernorStatusResponse{}, g.setStatus(ctx, account, governor, msg.Status)
}

func (g *governors) DelegateGovernor(
	ctx context.Context, msg *atomone.MsgDelegateGovernor,
) (*atomone.MsgDelegateGovernorResponse, error) {
	delegator := sdk.MustAccAddressFromBech32(msg.DelegatorAddress)
	governor, err := accountOf(msg.GovernorAddress)
	if err != nil {
		return nil, err
	}
	if active, err := g.counts(ctx, governor); err != nil || !active {
		return nil, errors.Join(err, sdkerrors.ErrInvalidRequest.Wrap("no active governor"))
	}
	before, err := g.choice(ctx, delegator)
	if err != nil {
		return nil, err
	}
	if before == nil {
		emitEvent(ctx, "delegate_governor",
			"destination_governor", msg.GovernorAddress, "delegator", msg.DelegatorAddress)
	} else {
		emitEvent(ctx, "redelegate_governor", "source_governor", governorAddress(before),
			"destination_governor", msg.GovernorAddress, "delegator", msg.DelegatorAddress)
	}
	return &atomone.MsgDelegateGovernorResponse{}, g.choose(ctx, delegator, governor)
}

func (g *governors) UndelegateGovernor(
	ctx context.Context, msg *atomone.MsgUndelegateGovernor,
) (*atomone.MsgUndelegateGovernorResponse, error) {
	delegator := sdk.MustAccAddressFromBech32(msg.DelegatorAddress)
	before, err := g.choice(ctx, delegator)
	if err != nil {
		return nil, err
	}
	emitEvent(ctx, "undelegate_governor",
		"source_governor", governorAddress(before), "delegator", msg.DelegatorAddress)
	return &atomone.MsgUndelegateGovernorResponse{}, g.chosen.Remove(ctx, delegator)
}

func (g *governors) valShares(ctx context.Context, governor string) (answer []*atomone.GovernorValShares, err error) {
	account, err := accountOf(governor)
	if err != nil {
		return nil, err
	}
	sums, err := g.shares(ctx, account)
	for validator, shares := range sums {
		each := atomone.GovernorValShares{GovernorAddress: governor, ValidatorAddress: validator, Shares: shares}
		answer = append(answer, &each)
	}
	sort.Slice(answer, func(a, b int) bool { return answer[a].ValidatorAddress < answer[b].ValidatorAddress })
	return answer, err
}
