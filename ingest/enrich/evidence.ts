// Builds the evidence of a tally and compares it with the chain's result. Reads the inputs again if they differ, and raises an
// alert if they still differ.
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { type Answer, isKnown, unavailable, valueOrNull } from '../chain/answer.ts'
import { SUB_LIMIT } from '../contract/envelope.ts'
import type { EventOf } from '../contract/events.ts'
import type { GovParams, TallyCounts } from '../contract/facts.ts'
import {
  ruleMembers,
  TALLY_RULES,
  type TallyRule,
  type TallyStrategy,
} from '../contract/tally-rule.ts'
import {
  type At,
  type BlockReference,
  eventAt,
  proposalSubject,
  splitBySize,
} from '../derive/event-at.ts'
import type { DelegationsOf } from '../governance/open-stakes.ts'
import { compareWithChain, recompute } from '../tally/strategy.ts'
import type { TallyBallot, TallyPool } from '../tally/tally.ts'
import { compareBallots } from './compare-ballots.ts'
import type { ChainStates } from './height-state.ts'
import { type BudgetOptions, createReadBudget } from './read-budget.ts'
import { createAttempts, findFirstMatch, gatherAsLogged } from './tally-attempts.ts'
import {
  type Ballots,
  type Ended,
  type Inputs,
  type Round,
  readChainBallots,
} from './tally-inputs.ts'

type TallyEvidence = EventOf<'rollcall.tally.evidence.v1'>

/** Data in the closing event itself. */
export type CloseFacts = {
  finalTally: TallyCounts | null
  bondedTokens: string | null
  params: GovParams | null
  unavailableReason: string | null
}

/** The part of the metrics of ingest that evidence counts. */
export type EvidenceMetrics = {
  tallyRereads: { inc(): void }
  tallyMismatches: { inc(): void }
  ballotChecks: { inc(labels: { outcome: 'same' | 'different' | 'skipped' }): void }
}

export type EvidenceOptions = BudgetOptions & {
  /** The rule in force on a chain that shows `shown`; by default `shown` itself. */
  ruleOf?(shown: TallyRule): TallyRule
  logger: Logger
  metrics: EvidenceMetrics
}

/** A round that reached its tally. */
export type Tallied = {
  /** The states of the height that ended the round. */
  state: ChainStates
  ended: Ended
  close: CloseFacts
  delegationsOf: DelegationsOf
}

export type Closing = Tallied & {
  /** The event that reports the end. */
  reportedAt: At & { block: BlockReference }
}

/** Null if they agree or cannot be compared. */
const describeDifference = (
  { pools, ballots }: Inputs,
  { strategy, chain }: { strategy: TallyStrategy; chain: TallyCounts | null },
): string | null => {
  if (!isKnown(pools) || chain === null) return null
  const recomputed = recompute(strategy, { pools: pools.value, ballots })?.counts
  const { matchesChain, reason } = compareWithChain({ recomputed, chain, incompleteReason: null })
  return matchesChain === 'no' ? reason : null
}

const knownBallots = async (
  round: Round,
): Promise<{ ballots: Ballots; reasons: readonly string[] }> => {
  const { before } = round.ended
  const ballots: Ballots = before?.ballots ?? new Map()
  if (!before?.lacksBallots) return { ballots, reasons: [] }
  const answer = await readChainBallots(round)
  return isKnown(answer)
    ? { ballots: answer.value, reasons: [] }
    : { ballots, reasons: [`ballots: ${answer.unavailable}`] }
}

/** The last read: it uses the remaining time, or is skipped. */
const ballotsWithinBudget = async (round: Round): Promise<Answer<Ballots>> => {
  let answer: Answer<Ballots> = unavailable('the time limit for reads was reached')
  await round.budget.spend(async () => {
    answer = await readChainBallots(round)
  })
  return answer
}

/**
 * Why the ballots in the log differ from the state of the chain. Equal tallies are no proof: an invented
 * ballot of an account without stake changes no sum. Skipped if no node has that state.
 */
const findBallotDifferences = async (round: Round, options: EvidenceOptions): Promise<string[]> => {
  const { logger, metrics } = options
  const { state, ended } = round
  const { height } = state.before
  const about = { height: state.plan.block.height, proposalId: ended.fact.proposalId }
  const answer = await ballotsWithinBudget(round)
  if (!isKnown(answer)) {
    metrics.ballotChecks.inc({ outcome: 'skipped' })
    logger.info(
      { ...about, reason: answer.unavailable },
      'skipped the comparison of ballots with state',
    )
    return []
  }
  const { ballots = new Map(), lacksBallots = false } = ended.before ?? {}
  const differences = compareBallots({ log: ballots, chain: answer.value, lacksBallots, height })
  metrics.ballotChecks.inc({ outcome: differences.length === 0 ? 'same' : 'different' })
  if (differences.length > 0) {
    logger.error(
      { ...about, reason: differences.join('; ') },
      'ballots differ from the state of the chain',
    )
  }
  return differences
}

/** Reads the inputs again if the recomputed tally differs from the chain's. */
const gatherForTally = async (
  round: Round,
  { rule, chain }: { rule: TallyRule; chain: TallyCounts | null },
  { logger, metrics }: EvidenceOptions,
): Promise<Inputs> => {
  const { state, ended } = round
  const { strategy } = TALLY_RULES[rule]
  const { ballots, reasons } = await knownBallots(round)
  const difference = (inputs: Inputs) => describeDifference(inputs, { strategy, chain })
  const logged = await gatherAsLogged(round, ballots)
  const found = difference(logged)
  if (found === null) return { ...logged, reasons: [...reasons, ...logged.reasons] }
  const about = { height: state.plan.block.height, proposalId: ended.fact.proposalId }
  metrics.tallyRereads.inc()
  logger.warn({ ...about, ballots: ballots.size, reason: found }, 'read a tally again')
  const matches = (inputs: Inputs) => difference(inputs) === null
  const attempts = await createAttempts(round, ballots)
  const { inputs, matched } = await findFirstMatch(attempts, { matches, otherwise: logged })
  if (matched !== null) {
    logger.info({ ...about, attempt: matched }, 'tally matches the chain')
    return inputs
  }
  const missing = [...reasons, ...inputs.reasons]
  if (missing.length === 0) {
    metrics.tallyMismatches.inc()
    const reason = difference(inputs)
    logger.error({ ...about, reason }, 'recomputed tally differs from the chain')
  }
  return { ...inputs, reasons: missing }
}

const readInputs = async (
  tallied: Tallied,
  options: EvidenceOptions,
): Promise<Inputs & { rule: TallyRule }> => {
  const { state, ended, close, delegationsOf } = tallied
  const round: Round = { state, ended, delegationsOf, budget: createReadBudget(options) }
  // An upgrade replaces the rule before the block: its tallies are those of the new one.
  const applied = await state.after.rule()
  const shown = valueOrNull(applied)?.name ?? 'gov'
  const rule = options.ruleOf?.(shown) ?? shown
  const inputs = await gatherForTally(round, { rule, chain: close.finalTally }, options)
  const differences = await findBallotDifferences(round, options)
  const missing = isKnown(applied) ? [] : [`the tally rule: ${applied.unavailable}`]
  return { ...inputs, rule, reasons: [...inputs.reasons, ...differences, ...missing] }
}

type Item = { pool: TallyPool } | { ballot: TallyBallot }

/** Pools first, so that the pool of each ballot is known to a reader. */
const splitIntoChunks = ({ pools, ballots }: Inputs): Item[][] =>
  splitBySize<Item>([
    ...(valueOrNull(pools) ?? []).map((pool) => ({ pool })),
    ...ballots.map((ballot) => ({ ballot })),
  ])

const listed = (items: readonly Item[]): Pick<TallyEvidence['data'], 'pools' | 'ballots'> => {
  const data: Pick<TallyEvidence['data'], 'pools' | 'ballots'> = { pools: [], ballots: [] }
  for (const item of items) {
    if ('pool' in item) data.pools.push(item.pool)
    else data.ballots.push(item.ballot as (typeof data.ballots)[number])
  }
  return data
}

export type EvidenceData = TallyEvidence['data']

/** The data of each chunk. `maxChunks`: more of them are left out, and the evidence is incomplete. */
export const evidenceData = async (
  tallied: Tallied,
  options: EvidenceOptions,
  maxChunks = Number.POSITIVE_INFINITY,
): Promise<EvidenceData[]> => {
  const { ended, close } = tallied
  const { round } = ended
  const { proposalId } = ended.fact
  const inputs = await readInputs(tallied, options)
  const { params, bondedTokens, unavailableReason } = close
  const isMeasured = params !== null && bondedTokens !== null
  const all = splitIntoChunks(inputs)
  const chunks = all.slice(0, maxChunks)
  const reasons = [
    ...inputs.reasons,
    ...(isMeasured ? [] : [unavailableReason ?? 'the rules are unknown']),
    ...(chunks.length < all.length ? ['more ballots than the index of one height can number'] : []),
  ]
  return chunks.map((items, chunk) => ({
    chunk,
    chunks: chunks.length,
    proposalId,
    round,
    strategy: TALLY_RULES[inputs.rule].strategy,
    ...ruleMembers(inputs.rule),
    complete: reasons.length === 0,
    incompleteReason: reasons.length === 0 ? null : reasons.join('; '),
    params: chunk === 0 ? params : null,
    bondedTokens: chunk === 0 ? bondedTokens : null,
    ...listed(items),
  }))
}

/** Their index is after the event that closed the round, `sub` from 1. */
export const evidenceEvents = async (
  closing: Closing,
  options: EvidenceOptions,
): Promise<TallyEvidence[]> => {
  const { block, ordinal, sub } = closing.reportedAt
  // Enough for some million ballots: the limit of an event ID.
  const all = await evidenceData(closing, options, SUB_LIMIT - sub - 1)
  return all.map((data, chunk) =>
    eventAt(
      block,
      { ordinal, sub: sub + 1 + chunk },
      {
        type: 'rollcall.tally.evidence.v1',
        subject: proposalSubject(data.proposalId),
        data,
      },
    ),
  )
}
