package main

import (
	"context"
	"fmt"

	"cosmossdk.io/collections"
	"cosmossdk.io/math"

	sdk "github.com/cosmos/cosmos-sdk/types"
	govkeeper "github.com/cosmos/cosmos-sdk/x/gov/keeper"
	govv1 "github.com/cosmos/cosmos-sdk/x/gov/types/v1"
	stakingkeeper "github.com/cosmos/cosmos-sdk/x/staking/keeper"
	stakingtypes "github.com/cosmos/cosmos-sdk/x/staking/types"
)

type (
	options    = []*govv1.WeightedVoteOption
	validators = map[string]govv1.ValidatorGovInfo

	// stake is what a voter holds of one validator.
	stake struct {
		validator string
		shares    math.LegacyDec
	}
	ballot struct {
		voter   sdk.AccAddress
		options options
		stakes  []stake
	}
	// bequest is power that somebody else votes with, as the owner did not.
	bequest struct {
		options options
		power   math.LegacyDec
	}

	// tallyRule says with what a voter votes, and who votes with the rest.
	tallyRule struct {
		stakes func(ctx context.Context, voter sdk.AccAddress) ([]stake, error)
		rest   func(ctx context.Context, ballots []ballot, of validators) ([]bequest, error)
	}
	tallyFn = govkeeper.CalculateVoteResultsAndVotingPowerFn
)

// newTally counts by a rule. Quorum and thresholds stay those of x/gov.
func newTally(staking *stakingkeeper.Keeper, rule tallyRule) tallyFn {
	return func(ctx context.Context, gov govkeeper.Keeper, proposal govv1.Proposal) (
		math.LegacyDec, math.Int, map[govv1.VoteOption]math.LegacyDec, error,
	) {
		counted, base, err := bondedValidators(ctx, staking)
		if err != nil {
			return math.LegacyDec{}, math.Int{}, nil, err
		}
		ballots, err := takeBallots(ctx, gov, proposal.Id, rule)
		if err != nil {
			return math.LegacyDec{}, math.Int{}, nil, err
		}
		bequests, err := rule.rest(ctx, ballots, counted)
		if err != nil {
			return math.LegacyDec{}, math.Int{}, nil, err
		}
		results, total := emptyResults(), math.LegacyZeroDec()
		count := func(chosen options, power math.LegacyDec) {
			for _, option := range chosen {
				weight := math.LegacyMustNewDecFromStr(option.Weight)
				results[option.Option] = results[option.Option].Add(power.Mul(weight))
			}
			total = total.Add(power)
		}
		for _, each := range ballots {
			for _, held := range each.stakes {
				if validator, ok := counted[held.validator]; ok {
					count(each.options, powerOf(held.shares, validator))
				}
			}
		}
		for _, each := range bequests {
			count(each.options, each.power)
		}
		return total, base, results, nil
	}
}

func powerOf(shares math.LegacyDec, of govv1.ValidatorGovInfo) math.LegacyDec {
	return shares.MulInt(of.BondedTokens).Quo(of.DelegatorShares)
}

func emptyResults() map[govv1.VoteOption]math.LegacyDec {
	return map[govv1.VoteOption]math.LegacyDec{
		govv1.OptionYes:        math.LegacyZeroDec(),
		govv1.OptionAbstain:    math.LegacyZeroDec(),
		govv1.OptionNo:         math.LegacyZeroDec(),
		govv1.OptionNoWithVeto: math.LegacyZeroDec(),
	}
}

func bondedValidators(ctx context.Context, staking *stakingkeeper.Keeper) (validators, math.Int, error) {
	found, sum := validators{}, math.ZeroInt()
	err := staking.IterateBondedValidatorsByPower(ctx, func(_ int64, each stakingtypes.ValidatorI) bool {
		found[each.GetOperator()] = govv1.ValidatorGovInfo{
			BondedTokens:        each.GetValidatorPower(),
			DelegatorShares:     each.GetDelegatorShares(),
			DelegatorDeductions: math.LegacyZeroDec(),
		}
		sum = sum.Add(each.GetValidatorPower())
		return false
	})
	return found, sum, err
}

// takeBallots removes the votes, as every tally of x/gov does.
func takeBallots(ctx context.Context, gov govkeeper.Keeper, proposal uint64, rule tallyRule) ([]ballot, error) {
	ballots := []ballot{}
	votes := collections.NewPrefixedPairRange[uint64, sdk.AccAddress](proposal)
	err := gov.Votes.Walk(ctx, votes, func(key collections.Pair[uint64, sdk.AccAddress], vote govv1.Vote) (bool, error) {
		stakes, err := rule.stakes(ctx, key.K2())
		ballots = append(ballots, ballot{voter: key.K2(), options: vote.Options, stakes: stakes})
		return false, err
	})
	if err != nil {
		return nil, fmt.Errorf("votes on proposal %d: %w", proposal, err)
	}
	return ballots, gov.Votes.Clear(ctx, votes)
}

// delegations are the stake that x/gov itself knows of.
func delegations(staking *stakingkeeper.Keeper) func(context.Context, sdk.AccAddress) ([]stake, error) {
	return func(ctx context.Context, voter sdk.AccAddress) (stakes []stake, err error) {
		err = staking.IterateDelegations(ctx, voter, func(_ int64, each stakingtypes.DelegationI) bool {
			stakes = append(stakes, stake{each.GetValidatorAddr(), each.GetShares()})
			return false
		})
		return stakes, err
	}
}

// operatorsInherit is x/gov's own way: an operator votes with the rest of the own validator.
func operatorsInherit(ctx context.Context, ballots []ballot, of validators) (bequests []bequest, err error) {
	rests := map[string]math.LegacyDec{}
	for operator, validator := range of {
		rests[operator] = validator.DelegatorShares
	}
	for _, each := range ballots {
		for _, held := range each.stakes {
			if rest, ok := rests[held.validator]; ok {
				rests[held.validator] = math.LegacyMaxDec(math.LegacyZeroDec(), rest.Sub(held.shares))
			}
		}
	}
	for _, each := range ballots {
		operator := sdk.ValAddress(each.voter).String()
		if rest, ok := rests[operator]; ok {
			bequests = append(bequests, bequest{each.options, powerOf(rest, of[operator])})
		}
	}
	return bequests, nil
}

func noHeirs(context.Context, []ballot, validators) ([]bequest, error) {
	return nil, nil
}

// twice counts each delegation two times, as Shentu v2.12 does (shentufoundation/shentu, x/gov/keeper/tally.go).
func twice(stakes func(context.Context, sdk.AccAddress) ([]stake, error)) func(context.Context, sdk.AccAddress) ([]stake, error) {
	return func(ctx context.Context, voter sdk.AccAddress) ([]stake, error) {
		once, err := stakes(ctx, voter)
		return append(once, once...), err
	}
}
