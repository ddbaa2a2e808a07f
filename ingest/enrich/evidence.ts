// Builds the evidence of a tally and compares it with the chain's result. Reads the inputs again if they differ, and raises an
// alert if they still differ.
import type { Logger } from '../../infra/runtime/logger.ts'
import { type Answer, isKnown, unavailable, valueOrNull } from '../chain/answer.ts'
import { SUB_LIMIT } from '../contract/envelope.ts'
import type { EventOf } from '../contract/events.ts'
import type { GovParams, TallyCounts, TallyStrategy } from '../contract/facts.ts'
import { type At, type BlockReference, eventAt, proposalSubject, splitBySize } from '../event-at.ts'
import type { IngestMetrics } from '../ingest-metrics.ts'
import type { DelegationsOf } from '../open-stakes.ts'
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

export type EvidenceOptions = BudgetOptions & {
  strategy: TallyStrategy
  logger: Logger
  metrics: Pick<IngestMetrics, 'tallyRereads' | 'tallyMismatches' | 'ballotChecks'>
}

export type Closing = {
  /** The states of the height that ended the round. */
  state: ChainStates
  /** The event that reports the end. */
  reportedAt: At & { block: BlockReference }
  ended: Ended
  close: CloseFacts
  delegationsOf: DelegationsOf
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
  chain: TallyCounts | null,
  { strategy, logger, metrics }: EvidenceOptions,
): Promise<Inputs> => {
  const { state, ended } = round
  const { ballots, reasons } = await knownBallots(round)
  const difference = (inputs: Inputs) => describeDifference(inputs, { strategy, chain })
  const logged = await gatherAsLogged(round, ballots)
  const found = difference(logged)
  if (found === null) return { ...logged, reasons: [...reasons, ...logged.reasons] }
  const about = { height: state.plan.block.height, proposalId: ended.fact.proposalId }
  metrics.tallyRereads.inc()
  logger.warn({ ...about, ballots: ballots.size, reason: found }, 'read a tally again')
  const matches = (inputs: Inputs) => difference(inputs) === null
  const attempts = createAttempts(round, ballots)
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

const readInputs = async (closing: Closing, options: EvidenceOptions): Promise<Inputs> => {
  const { state, ended, close, delegationsOf } = closing
  const round: Round = { state, ended, delegationsOf, budget: createReadBudget(options) }
  const inputs = await gatherForTally(round, close.finalTally, options)
  const differences = await findBallotDifferences(round, options)
  return { ...inputs, reasons: [...inputs.reasons, ...differences] }
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

/** Their index is after the event that closed the round, `sub` from 1. */
export const evidenceEvents = async (
  closing: Closing,
  options: EvidenceOptions,
): Promise<TallyEvidence[]> => {
  const { reportedAt, ended, close } = closing
  const { block, ordinal, sub } = reportedAt
  const { round } = ended
  const { proposalId } = ended.fact
  const inputs = await readInputs(closing, options)
  const { params, bondedTokens, unavailableReason } = close
  const isMeasured = params !== null && bondedTokens !== null
  const all = splitIntoChunks(inputs)
  // Enough for some million ballots: the limit of an event ID.
  const chunks = all.slice(0, SUB_LIMIT - sub - 1)
  const reasons = [
    ...inputs.reasons,
    ...(isMeasured ? [] : [unavailableReason ?? 'the rules are unknown']),
    ...(chunks.length < all.length ? ['more ballots than the index of one height can number'] : []),
  ]
  return chunks.map((items, chunk) =>
    eventAt(
      block,
      { ordinal, sub: sub + 1 + chunk },
      {
        type: 'rollcall.tally.evidence.v1',
        subject: proposalSubject(proposalId),
        data: {
          chunk,
          chunks: chunks.length,
          proposalId,
          round,
          strategy: options.strategy,
          complete: reasons.length === 0,
          incompleteReason: reasons.length === 0 ? null : reasons.join('; '),
          params: chunk === 0 ? params : null,
          bondedTokens: chunk === 0 ? bondedTokens : null,
          ...listed(items),
        },
      },
    ),
  )
}
