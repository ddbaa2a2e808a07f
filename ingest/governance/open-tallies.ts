// The open votes at the appended height, each with the last comparison of its tally with the node's. Folded from the log: a restart
// compares at the same heights.
import { toEpochMs } from '../chain/time.ts'
import type { EventOf, GovernanceEvent, Marker } from '../contract/events.ts'
import type { TallyCounts } from '../contract/facts.ts'
import type { AdoptedRule } from '../contract/tally-events.ts'
import { readRule, type TallyRule } from '../contract/tally-rule.ts'
import { createOpenProposals, type OpenProposal } from './open-proposals.ts'

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
  /** Events of the log in order. */
  applyEvent(event: GovernanceEvent): void
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

const OPTIONS = ['yes', 'abstain', 'no', 'noWithVeto'] as const

/** Then every rule agrees. */
export const isEmpty = (counts: TallyCounts): boolean =>
  OPTIONS.every((option) => BigInt(counts[option] ?? '0') === 0n)

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
const hasBallots = ({ isVoting, ballots, lacksBallots }: OpenProposal): boolean =>
  isVoting && (ballots.size > 0 || lacksBallots)

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

/** `marker`: the last one in the log. */
export const createOpenTallies = (marker?: Marker): OpenTallies => {
  const open = createOpenProposals()
  const compared = new Map<string, ComparedTally>()
  let adopted: AdoptedRule | null = marker?.data.adoptedRule ?? null
  const observe = ({ data, time }: EventOf<'rollcall.tally.observed.v1'>): void => {
    const { proposalId, round, rule, counts, recomputedReason, agrees } = data
    const timeMs = toEpochMs(time)
    compared.set(proposalId, { round, timeMs, rule, counts, recomputedReason, agrees })
  }
  const votes = (): OpenVote[] =>
    open
      .list()
      .filter(hasBallots)
      .map((proposal) => ({ ...proposal, last: compared.get(proposal.proposalId) }))
  return {
    applyEvent: (event) => {
      open.applyEvent(event)
      if (event.type === 'rollcall.tally.observed.v1') observe(event)
      if (
        event.type === 'rollcall.tally.observed.v1' ||
        event.type === 'rollcall.params.observed.v1'
      ) {
        adopted = adoptedAfter(event, adopted)
      }
      if ('proposalId' in event.data && event.data.proposalId !== null) {
        if (!open.get(event.data.proposalId)) compared.delete(event.data.proposalId)
      }
    },
    votes,
    ruleOf: (shown) => (adopted?.instead === shown ? adopted.rule : shown),
    adopted: () => adopted,
    hasReported: () => votes().some(isReported),
  }
}
