package main

import (
	"context"

	"cosmossdk.io/collections"
	"cosmossdk.io/math"

	"github.com/cosmos/cosmos-sdk/codec"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/address"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	"github.com/cosmos/cosmos-sdk/types/query"
	bankkeeper "github.com/cosmos/cosmos-sdk/x/bank/keeper"
	stakingkeeper "github.com/cosmos/cosmos-sdk/x/staking/keeper"
	stakingtypes "github.com/cosmos/cosmos-sdk/x/staking/types"

	"rollcall.test/rules-node/gen/tieredrewards"
)

// positions hold stake that an owner votes with, delegated by an account that never votes. As on Cronos POS, they call the
// keeper of x/staking: there are no delegate, unbond and redelegate events, only their own (crypto-org-chain/chain-main
// v7.3.0, x/tieredrewards/keeper/delegation.go).
type positions struct {
	staking *stakingkeeper.Keeper
	bank    bankkeeper.Keeper
	next    collections.Sequence
	all     collections.Map[uint64, tieredrewards.Position]
	byOwner collections.KeySet[collections.Pair[sdk.AccAddress, uint64]]
}

func newPositions(
	schema *collections.SchemaBuilder, cdc codec.BinaryCodec, staking *stakingkeeper.Keeper, bank bankkeeper.Keeper,
) *positions {
	values := codec.CollValue[tieredrewards.Position](cdc)
	owners := collections.PairKeyCodec(sdk.AccAddressKey, collections.Uint64Key)
	return &positions{
		staking: staking,
		bank:    bank,
		next:    collections.NewSequence(schema, collections.NewPrefix("positions/next"), "next_position"),
		all:     collections.NewMap(schema, collections.NewPrefix("positions/all"), "positions", collections.Uint64Key, values),
		byOwner: collections.NewKeySet(schema, collections.NewPrefix("positions/owner"), "positions_by_owner", owners),
	}
}

// stakes are the voter's own delegations and then those of the positions, each for itself.
func (p *positions) stakes(ctx context.Context, voter sdk.AccAddress) ([]stake, error) {
	stakes, err := delegations(p.staking)(ctx, voter)
	if err != nil {
		return nil, err
	}
	owned := collections.NewPrefixedPairRange[sdk.AccAddress, uint64](voter)
	err = p.byOwner.Walk(ctx, owned, func(key collections.Pair[sdk.AccAddress, uint64]) (bool, error) {
		held, err := p.stakeOf(ctx, key.K2())
		if err == nil && held != nil {
			stakes = append(stakes, stake{held.ValidatorAddress, held.Shares})
		}
		return false, err
	})
	return stakes, err
}

// stakeOf answers nil for a position without stake.
func (p *positions) stakeOf(ctx context.Context, id uint64) (*stakingtypes.Delegation, error) {
	position, err := p.all.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	found, err := p.staking.GetDelegatorDelegations(ctx, sdk.MustAccAddressFromBech32(position.DelegatorAddress), 1)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

func (p *positions) open(ctx context.Context, owner string, tier uint32) (tieredrewards.Position, error) {
	id, err := p.next.Next(ctx)
	if err != nil {
		return tieredrewards.Position{}, err
	}
	position := tieredrewards.Position{
		Id:               id,
		Owner:            owner,
		TierId:           tier,
		CreatedAtHeight:  uint64(sdk.UnwrapSDKContext(ctx).BlockHeight()),
		DelegatorAddress: sdk.AccAddress(address.Module("tieredrewards", sdk.Uint64ToBigEndian(id))).String(),
	}
	if err := p.byOwner.Set(ctx, collections.Join(sdk.MustAccAddressFromBech32(owner), id)); err != nil {
		return tieredrewards.Position{}, err
	}
	return position, p.all.Set(ctx, id, position)
}

// owned is a position with stake, of this owner.
func (p *positions) owned(ctx context.Context, id uint64, owner string) (
	position tieredrewards.Position, held *stakingtypes.Delegation, err error,
) {
	if position, err = p.all.Get(ctx, id); err != nil {
		return position, nil, err
	}
	if position.Owner != owner {
		return position, nil, sdkerrors.ErrUnauthorized.Wrapf("position %d belongs to %s", id, position.Owner)
	}
	if held, err = p.stakeOf(ctx, id); err == nil && held == nil {
		err = sdkerrors.ErrInvalidRequest.Wrapf("position %d has no stake", id)
	}
	return position, held, err
}

func (p *positions) delegate(
	ctx context.Context, position tieredrewards.Position, validator string, amount math.Int,
) (shares math.LegacyDec, err error) {
	denom, err := p.staking.BondDenom(ctx)
	if err != nil {
		return shares, err
	}
	account := sdk.MustAccAddressFromBech32(position.DelegatorAddress)
	coins := sdk.NewCoins(sdk.NewCoin(denom, amount))
	if err := p.bank.SendCoins(ctx, sdk.MustAccAddressFromBech32(position.Owner), account, coins); err != nil {
		return shares, err
	}
	found, err := p.validator(ctx, validator)
	if err != nil {
		return shares, err
	}
	return p.staking.Delegate(ctx, account, amount, stakingtypes.Unbonded, found, true)
}

func (p *positions) validator(ctx context.Context, operator string) (stakingtypes.Validator, error) {
	bytes, err := sdk.ValAddressFromBech32(operator)
	if err != nil {
		return stakingtypes.Validator{}, err
	}
	return p.staking.GetValidator(ctx, bytes)
}

func emit(ctx context.Context, event sdk.Msg) error {
	return sdk.UnwrapSDKContext(ctx).EventManager().EmitTypedEvent(event)
}

func (p *positions) LockTier(
	ctx context.Context, msg *tieredrewards.MsgLockTier,
) (*tieredrewards.MsgLockTierResponse, error) {
	position, err := p.open(ctx, msg.Owner, msg.Id)
	if err != nil {
		return nil, err
	}
	if _, err := p.delegate(ctx, position, msg.ValidatorAddress, msg.Amount); err != nil {
		return nil, err
	}
	return &tieredrewards.MsgLockTierResponse{PositionId: position.Id},
		emit(ctx, &tieredrewards.EventPositionCreated{Position: position})
}

// CommitDelegationToTier moves shares between two delegators of one validator, whose tokens stay the same.
func (p *positions) CommitDelegationToTier(
	ctx context.Context, msg *tieredrewards.MsgCommitDelegationToTier,
) (*tieredrewards.MsgCommitDelegationToTierResponse, error) {
	position, err := p.open(ctx, msg.DelegatorAddress, msg.Id)
	if err != nil {
		return nil, err
	}
	owner := sdk.MustAccAddressFromBech32(msg.DelegatorAddress)
	operator, err := sdk.ValAddressFromBech32(msg.ValidatorAddress)
	if err != nil {
		return nil, err
	}
	shares, err := p.staking.ValidateUnbondAmount(ctx, owner, operator, msg.Amount)
	if err != nil {
		return nil, err
	}
	amount, err := p.staking.Unbond(ctx, owner, operator, shares)
	if err != nil {
		return nil, err
	}
	validator, err := p.staking.GetValidator(ctx, operator)
	if err != nil {
		return nil, err
	}
	account := sdk.MustAccAddressFromBech32(position.DelegatorAddress)
	if _, err := p.staking.Delegate(ctx, account, amount, validator.GetStatus(), validator, false); err != nil {
		return nil, err
	}
	return &tieredrewards.MsgCommitDelegationToTierResponse{PositionId: position.Id},
		emit(ctx, &tieredrewards.EventDelegationCommitted{Position: position})
}

func (p *positions) AddToTierPosition(
	ctx context.Context, msg *tieredrewards.MsgAddToTierPosition,
) (*tieredrewards.MsgAddToTierPositionResponse, error) {
	position, held, err := p.owned(ctx, msg.PositionId, msg.Owner)
	if err != nil {
		return nil, err
	}
	shares, err := p.delegate(ctx, position, held.ValidatorAddress, msg.Amount)
	if err != nil {
		return nil, err
	}
	return &tieredrewards.MsgAddToTierPositionResponse{PositionId: position.Id},
		emit(ctx, &tieredrewards.EventPositionAmountAdded{
			PositionId:  position.Id,
			TierId:      position.TierId,
			Owner:       position.Owner,
			SharesAdded: shares,
			AmountAdded: msg.Amount,
		})
}

func (p *positions) TierRedelegate(
	ctx context.Context, msg *tieredrewards.MsgTierRedelegate,
) (*tieredrewards.MsgTierRedelegateResponse, error) {
	position, held, err := p.owned(ctx, msg.PositionId, msg.Owner)
	if err != nil {
		return nil, err
	}
	from, err := sdk.ValAddressFromBech32(held.ValidatorAddress)
	if err != nil {
		return nil, err
	}
	to, err := sdk.ValAddressFromBech32(msg.DstValidator)
	if err != nil {
		return nil, err
	}
	account := sdk.MustAccAddressFromBech32(position.DelegatorAddress)
	completion, err := p.staking.BeginRedelegation(ctx, account, from, to, held.Shares)
	if err != nil {
		return nil, err
	}
	return &tieredrewards.MsgTierRedelegateResponse{CompletionTime: completion, PositionId: position.Id},
		emit(ctx, &tieredrewards.EventPositionRedelegated{
			PositionId:     position.Id,
			TierId:         position.TierId,
			Owner:          position.Owner,
			SrcValidator:   held.ValidatorAddress,
			DstValidator:   msg.DstValidator,
			CompletionTime: completion,
		})
}

func (p *positions) TierUndelegate(
	ctx context.Context, msg *tieredrewards.MsgTierUndelegate,
) (*tieredrewards.MsgTierUndelegateResponse, error) {
	position, held, err := p.owned(ctx, msg.PositionId, msg.Owner)
	if err != nil {
		return nil, err
	}
	operator, err := sdk.ValAddressFromBech32(held.ValidatorAddress)
	if err != nil {
		return nil, err
	}
	account := sdk.MustAccAddressFromBech32(position.DelegatorAddress)
	completion, _, err := p.staking.Undelegate(ctx, account, operator, held.Shares)
	if err != nil {
		return nil, err
	}
	return &tieredrewards.MsgTierUndelegateResponse{CompletionTime: completion, PositionId: position.Id},
		emit(ctx, &tieredrewards.EventPositionUndelegated{
			PositionId:     position.Id,
			TierId:         position.TierId,
			Owner:          position.Owner,
			Validator:      held.ValidatorAddress,
			CompletionTime: completion,
		})
}

func (p *positions) answer(ctx context.Context, id uint64) (tieredrewards.PositionResponse, error) {
	position, err := p.all.Get(ctx, id)
	if err != nil {
		return tieredrewards.PositionResponse{}, err
	}
	answer := tieredrewards.PositionResponse{
		Id:               id,
		Owner:            position.Owner,
		TierId:           position.TierId,
		Amount:           math.ZeroInt(),
		DelegatedShares:  math.LegacyZeroDec(),
		CreatedAtHeight:  position.CreatedAtHeight,
		DelegatorAddress: position.DelegatorAddress,
	}
	held, err := p.stakeOf(ctx, id)
	if err != nil || held == nil {
		return answer, err
	}
	validator, err := p.validator(ctx, held.ValidatorAddress)
	answer.Validator, answer.DelegatedShares = held.ValidatorAddress, held.Shares
	answer.Amount = validator.TokensFromShares(held.Shares).TruncateInt()
	return answer, err
}

func (p *positions) Params(
	context.Context, *tieredrewards.QueryParamsRequest,
) (*tieredrewards.QueryParamsResponse, error) {
	return &tieredrewards.QueryParamsResponse{}, nil
}

func (p *positions) TierPositionsByOwner(
	ctx context.Context, request *tieredrewards.QueryTierPositionsByOwnerRequest,
) (*tieredrewards.QueryTierPositionsByOwnerResponse, error) {
	owner, err := sdk.AccAddressFromBech32(request.Owner)
	if err != nil {
		return nil, err
	}
	type key = collections.Pair[sdk.AccAddress, uint64]
	toAnswer := func(key key, _ collections.NoValue) (tieredrewards.PositionResponse, error) {
		return p.answer(ctx, key.K2())
	}
	prefix := query.WithCollectionPaginationPairPrefix[sdk.AccAddress, uint64](owner)
	found, page, err := query.CollectionPaginate(ctx, p.byOwner, request.Pagination, toAnswer, prefix)
	return &tieredrewards.QueryTierPositionsByOwnerResponse{Positions: found, Pagination: page}, err
}

func (p *positions) AllTierPositions(
	ctx context.Context, request *tieredrewards.QueryAllTierPositionsRequest,
) (*tieredrewards.QueryAllTierPositionsResponse, error) {
	toAnswer := func(id uint64, _ tieredrewards.Position) (tieredrewards.PositionResponse, error) {
		return p.answer(ctx, id)
	}
	found, page, err := query.CollectionPaginate(ctx, p.all, request.Pagination, toAnswer)
	return &tieredrewards.QueryAllTierPositionsResponse{Positions: found, Pagination: page}, err
}

func (p *positions) VotingPowerByOwner(
	ctx context.Context, request *tieredrewards.QueryVotingPowerByOwnerRequest,
) (*tieredrewards.QueryVotingPowerByOwnerResponse, error) {
	owner, err := sdk.AccAddressFromBech32(request.Owner)
	if err != nil {
		return nil, err
	}
	counted, _, err := bondedValidators(ctx, p.staking)
	if err != nil {
		return nil, err
	}
	sum := math.LegacyZeroDec()
	owned := collections.NewPrefixedPairRange[sdk.AccAddress, uint64](owner)
	err = p.byOwner.Walk(ctx, owned, func(key collections.Pair[sdk.AccAddress, uint64]) (bool, error) {
		held, err := p.stakeOf(ctx, key.K2())
		if err != nil || held == nil {
			return false, err
		}
		if validator, ok := counted[held.ValidatorAddress]; ok {
			sum = sum.Add(powerOf(held.Shares, validator))
		}
		return false, nil
	})
	return &tieredrewards.QueryVotingPowerByOwnerResponse{VotingPower: sum}, err
}
