// The open votes at the appended height, each with the last comparison of its tally with the node's.
import { toEpochMs } from '../chain/time.ts'
import type { EventOf, Marker } from '../contract/events.ts'
import type { TallyCounts } from '../contract/facts.ts'
import { OPTION_KEYS } from '../contract/option-sums.ts'
import type { AdoptedRule } from '../contract/tally-events.ts'
import { readRule, type TallyRule } from '../contract/tally-rule.ts'
import { isVoting, type OpenProposal, type OpenProposals } from './open-proposals.ts'

/** The last comparison of a vote. */
export type ComparedTally = {
  round: number
  timeMs: number
  rule: TallyRule
  counts: TallyCounts | null
  /** Why there is no tally to compare it with; null if there is one. */
  recomputedReason: string | null
  agrees: boolean | null
}

export type OpenVote = OpenProposal & { last: ComparedTally | undefined }

export type OpenTallies = {
  observe(event: EventOf<'rollcall.tally.observed.v1'>): void
  observeParams(event: EventOf<'rollcall.params.observed.v1'>): void
  /** The proposal is closed. */
  release(proposalId: string): void
  /** The votes with ballots, in the order of their first events. */
  votes(): OpenVote[]
  /** The rule in force on a chain that shows `shown`. */
  ruleOf(shown: TallyRule): TallyRule
  /** Null if the rule is the one that the chain shows. */
  adopted(): AdoptedRule | null
  /** Whether the node's own tally is the only one known of an open vote. */
  hasReported(): boolean
}

/** An agreeing comparison is repeated after this block time. */
const INTERVAL_MS = 3_600_000

/** Then every rule agrees. */
export const isEmpty = (counts: TallyCounts): boolean =>
  OPTION_KEYS.every((option) => BigInt(counts[option] ?? '0') === 0n)

/** Undefined if the vote was not compared with this rule. */
export const findLast = (
  { round, last }: Pick<OpenVote, 'round' | 'last'>,
  rule: TallyRule,
): ComparedTally | undefined => (last?.round === round && last.rule === rule ? last : undefined)

/** Whether an agreeing comparison is to be repeated. `nowMs`: block time. */
export const isRepeatDue = ({ timeMs }: ComparedTally, nowMs: number): boolean =>
  nowMs - timeMs >= INTERVAL_MS

/** Whether a comparison is due. */
export const isComparisonDue = (
  vote: OpenVote,
  { rule, nowMs }: { rule: TallyRule; nowMs: number },
): boolean => {
  const last = findLast(vote, rule)
  return !last?.agrees || !last.counts || isEmpty(last.counts) || isRepeatDue(last, nowMs)
}

/** Ballots before the first height of the log count too. */
const hasBallots = (proposal: OpenProposal): boolean =>
  isVoting(proposal) && (proposal.ballots.size > 0 || proposal.lacksBallots)

const isReported = ({ last }: OpenVote): boolean =>
  last !== undefined && (last.agrees === false || (last.rule === 'own' && last.counts !== null))

type RuleEvent = EventOf<'rollcall.params.observed.v1'> | EventOf<'rollcall.tally.observed.v1'>

/** An adopted rule ends when the chain shows another one. */
const adoptedAfter = (event: RuleEvent, adopted: AdoptedRule | null): AdoptedRule | null => {
  if (event.type === 'rollcall.params.observed.v1') {
    return adopted?.rule === readRule(event.data) ? adopted : null
  }
  const { rule, instead } = event.data
  return instead === undefined ? null : { rule, instead }
}

/** `marker`: the last one in the log. `open`: at the appended height. */
export const createOpenTallies = (
  open: Pick<OpenProposals, 'list'>,
  marker?: Marker,
): OpenTallies => {
  const compared = new Map<string, ComparedTally>()
  let adopted: AdoptedRule | null = marker?.data.adoptedRule ?? null
  const votes = (): OpenVote[] =>
    open
      .list()
      .filter(hasBallots)
      .map((proposal) => ({ ...proposal, last: compared.get(proposal.proposalId) }))
  return {
    observe: (event) => {
      const { proposalId, round, rule, counts, recomputedReason, agrees } = event.data
      const timeMs = toEpochMs(event.time)
      compared.set(proposalId, { round, timeMs, rule, counts, recomputedReason, agrees })
      adopted = adoptedAfter(event, adopted)
    },
    observeParams: (event) => {
      adopted = adoptedAfter(event, adopted)
    },
    release: (proposalId) => {
      compared.delete(proposalId)
    },
    votes,
    ruleOf: (shown) => (adopted?.instead === shown ? adopted.rule : shown),
    adopted: () => adopted,
    hasReported: () => votes().some(isReported),
  }
}
