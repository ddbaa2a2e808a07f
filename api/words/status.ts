// What is said about the state of a proposal, its tally and its votes, of a validator, and of the recomputed past. Pure.
import type { Health } from '../schemas/health.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import type { Tally } from '../schemas/tally.ts'
import { pluralize } from './in-words.ts'
import { plainLine } from './texts.ts'

/** True in the deposit period and in the voting period. */
export const isOpen = ({ status }: { status: string }): boolean =>
  status === 'deposit_period' || status === 'voting_period'

/** When the period of an open proposal ends; null if it has none, or if its end is not known. */
export const findPeriodEnd = (proposal: ProposalSummary): string | null => {
  if (proposal.status === 'voting_period') return proposal.votingEndTime
  return proposal.status === 'deposit_period' ? proposal.depositEndTime : null
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['deposit_period', 'Deposit period'],
  ['voting_period', 'Voting period'],
  ['passed', 'Passed'],
  ['rejected', 'Rejected'],
  ['failed', 'Execution failed'],
  ['canceled', 'Canceled'],
  ['dropped', 'Dropped'],
  ['vetoed', 'Vetoed'],
])

export const statusName = (status: string): string =>
  NAMES.get(status) ?? plainLine(status.replaceAll('_', ' '))

export type Outcome = Pick<ProposalSummary, 'status' | 'outcomeReason'>

/** With the reason of a rejection: `Rejected: quorum not reached`. */
export const outcomeName = ({ status, outcomeReason }: Outcome): string =>
  outcomeReason === null
    ? statusName(status)
    : `${statusName(status)}: ${outcomeReason.replaceAll('_', ' ')}`

/** About a proposal without messages. */
export const NOTHING_EXECUTED =
  'This proposal does nothing by itself: it is a text to agree on, and changes nothing on the chain.'

const describeCounting = ({ name, provedAt, reported }: Tally['rule']): string | null => {
  if (!reported)
    return provedAt === null ? null : `The node counted the same at height ${provedAt}.`
  return name === null || name === 'own'
    ? 'Counted by the node itself: Rollcall does not know this chain’s rules.'
    : 'Counted by the node itself: Rollcall does not know all delegations of the voters.'
}

type OpenTally = Pick<Tally, 'final' | 'rule' | 'stakeAt'>

/** How the tally of an open vote is known; null if there is nothing to say. */
export const describeRule = ({ final, rule, stakeAt }: OpenTally): string | null => {
  if (final) return null
  const stake = stakeAt === null ? null : `Stake as of block ${stakeAt}.`
  const sentences = [describeCounting(rule), stake].filter((sentence) => sentence !== null)
  return sentences.length === 0 ? null : sentences.join(' ')
}

type VoteFacts = {
  status: string
  round: number | null
  tally: { ballots: number | null } | null
}

/** The text for an empty list of votes. Without a number of ballots, the votes of a closed proposal are unknown. */
export const noVotes = (proposal: VoteFacts): string => {
  if (isOpen(proposal)) return 'No votes yet.'
  const { round, tally } = proposal
  const isKnown = round === 0 || (tally !== null && tally.ballots !== null)
  return isKnown ? 'No votes.' : 'The votes are not known.'
}

/** What a missed vote is. */
export const MISSED = 'counted in the final tally, but without a vote.'

const POOL_STATES: ReadonlyMap<string, string> = new Map([
  ['bonded', 'active'],
  ['unbonding', 'leaving'],
  ['unbonded', 'not active'],
])

/** Whether and why a pool counts. */
export type PoolStanding = { status: string; jailed: boolean; counted: boolean }

/** `active`, or `leaving, jailed`: the state of a validator in its staking module. */
export const poolStateInWords = ({ status, jailed, counted }: PoolStanding): string => {
  const state = POOL_STATES.get(status) ?? status.replaceAll('_', ' ')
  if (jailed) return `${state}, jailed`
  return status === 'bonded' && !counted ? `${state}, not counted in votes` : state
}

/** How many past votes are recomputed, and how many cannot be; their reason follows. */
export const describeHistory = ({
  total,
  done,
  unreachable,
}: NonNullable<Health['history']>): string => {
  const recomputed = `${done} of ${pluralize(total, 'proposal')} that ended before the first indexed height are recomputed.`
  return unreachable === 0
    ? recomputed
    : `${recomputed} No endpoint can show ${unreachable} of them.`
}
