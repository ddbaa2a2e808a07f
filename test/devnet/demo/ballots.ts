// Plans who votes on a proposal and how: pools by their stake, delegators by a draw that is the same in every run.
import type { EncodeObject } from '@cosmjs/proto-signing'
import type { VoteOption } from 'cosmjs-types/cosmos/gov/v1/gov'
import type { Account } from '../accounts.ts'
import { ABSTAIN, NO, VETO, vote, weightedVote, YES } from '../messages.ts'
import { chance } from '../scenario/scene.ts'

/** Shares of yes, no, abstain and veto. */
export type Mix = readonly [yes: number, no: number, abstain: number, veto: number]

export type Turnout = {
  /** The share of pools that vote. */
  pools: number
  /** Whether the largest pools may be among them. */
  withLargest?: boolean
  delegators: number
}

export type Electorate = {
  pools: readonly { account: Account; stake: number }[]
  delegators: readonly Account[]
}

export type Ballot = { voter: Account; cast(proposalId: bigint): EncodeObject }

const OPTIONS = [YES, NO, ABSTAIN, VETO] as const
const LARGEST = 4

/** Each pool takes the option that lacks most of its share, so the sums come near to the mix. */
function planPools(
  key: string,
  electorate: Electorate,
  { turnout, mix }: { turnout: Turnout; mix: Mix },
): Ballot[] {
  const { withLargest = true } = turnout
  const voting = electorate.pools.filter(({ account }, index) =>
    index < LARGEST ? withLargest : chance(key, account.name, 'votes') < turnout.pools,
  )
  const order = [...voting].sort(
    (a, b) => chance(key, a.account.name, 'order') - chance(key, b.account.name, 'order'),
  )
  const sums = [0, 0, 0, 0]
  let total = 0
  return order.map(({ account, stake }) => {
    total += stake
    const lacking = mix.map((share, index) => share * total - (sums[index] ?? 0))
    const chosen = lacking.indexOf(Math.max(...lacking))
    sums[chosen] = (sums[chosen] ?? 0) + stake
    return createBallot(account, OPTIONS[chosen] ?? YES)
  })
}

const createBallot = (voter: Account, option: VoteOption): Ballot => ({
  voter,
  cast: (proposalId) => vote(proposalId, voter.address, option),
})

const createSplit = (voter: Account, option: VoteOption): Ballot => ({
  voter,
  cast: (proposalId) =>
    weightedVote(proposalId, voter.address, [
      [option, '0.7'],
      // The chain rejects a repeated option.
      [option === ABSTAIN ? NO : ABSTAIN, '0.3'],
    ]),
})

function drawOption(mix: Mix, drawn: number): VoteOption {
  let sum = 0
  for (const [index, share] of mix.entries()) {
    sum += share
    if (drawn < sum) return OPTIONS[index] ?? YES
  }
  return YES
}

const SPLIT_SHARE = 0.04

/** Half of them take turns, so that in a year all have voted; the others are the more active ones. */
function drawDelegators(
  key: string,
  turn: number,
  { count, from }: { count: number; from: readonly Account[] },
) {
  const half = Math.ceil(count / 2)
  const start = (turn * half) % from.length
  const taking = [...from.slice(start), ...from.slice(0, start)].slice(0, half)
  const rest = from.filter((each) => !taking.includes(each))
  const score = ({ name }: Account) => chance(name, 'activity') * 0.6 + chance(key, name) * 0.4
  const active = rest.sort((a, b) => score(b) - score(a)).slice(0, count - half)
  return [...taking, ...active]
}

export type BallotPlan = { key: string; turn: number; turnout: Turnout; mix: Mix; round: number }

export function planBallots(electorate: Electorate, plan: BallotPlan): Ballot[] {
  const { turnout, mix, round, turn } = plan
  const key = `${plan.key}/${round}`
  const { delegators: count } = turnout
  const drawn = drawDelegators(key, turn, { count, from: electorate.delegators })
  const own = drawn.map((voter) => {
    const option = drawOption(mix, chance(key, voter.name, 'option'))
    const isSplit = chance(key, voter.name, 'split') < SPLIT_SHARE
    return isSplit ? createSplit(voter, option) : createBallot(voter, option)
  })
  return [...planPools(key, electorate, { turnout, mix }), ...own]
}
