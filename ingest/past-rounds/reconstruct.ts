// Reconstructs one closed proposal from past states: every round of its vote as at a live close. Asks one endpoint after the other
// until the chain's own result, or a second endpoint, confirms what it says.
import { hash } from 'node:crypto'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { NO_PROPOSER } from '../begin/snapshot.ts'
import { type Answer, isKnown, known, unavailable } from '../chain/answer.ts'
import { createRetriedNode } from '../chain/retried-node.ts'
import { createStateAt, type StateAt } from '../chain/state-at.ts'
import type { Block } from '../comet/blocks/block.ts'
import type { BackgroundReader, ChainReader } from '../comet/endpoints/node.ts'
import { SUB_LIMIT } from '../contract/envelope.ts'
import type { Message, ProposalState } from '../contract/facts.ts'
import { createDecodedProposals } from '../proposals/decoded-proposals.ts'
import type { ClosingMetrics } from '../rounds/closing.ts'
import { toReadingData } from '../rounds/reading-events.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import { sameCounts } from '../tally/strategy.ts'
import { type TallyRules, withTallyRules } from '../tally-rules/find-rule.ts'
import { type ClosedChain, findRoundEnds } from './closing-height.ts'
import { countBytes, type HistoryDraft } from './drafts.ts'
import type { BlockTime } from './height-since.ts'
import { type PastRound, readPastRound } from './round.ts'
import type { OpenVote } from './targets.ts'
import {
  type DatedRound,
  dateBallots,
  findVotes,
  readBlock,
  type Submission,
} from './vote-times.ts'

export type { HistoryDraft } from './drafts.ts'

export type Reconstruction = {
  proposalId: string
  /** In the order of the log. */
  drafts: readonly HistoryDraft[]
  /** Whether its votes were searched. */
  votes: boolean
  /** Of the data as JSON. */
  bytes: number
}

export type HistoryReads = {
  /** One reader for each endpoint, in the order in which they are asked. Each with `withGovPackage`. */
  nodes: readonly BackgroundReader[]
  schemas: SchemaSource
  rules: TallyRules
  searchesVotes: boolean
  /** A block that is later than the end of the vote, such as the last indexed one. */
  tip: BlockTime
  clock: Clock
  signal: AbortSignal
  logger: Logger
  metrics: ClosingMetrics
}

/** What one endpoint says. */
type Opinion = BackgroundReader & { rounds: readonly PastRound[]; digest: string }

/** Many endpoints with old states have no results of old blocks. */
const readBlockAt = async (
  node: ChainReader,
  height: number,
  { nodes, signal }: HistoryReads,
): Promise<Answer<Block>> => {
  const others = nodes.filter((each) => each.node !== node)
  const block = await readBlock(height, { nodes: [{ name: '', node }, ...others], signal })
  if (!block) return unavailable(`no endpoint has the block of height ${height}`)
  const { time, previousHash } = await node.header(height)
  if (block.time === time && block.previousHash === previousHash) return known(block)
  return unavailable(`the endpoints disagree about the block of height ${height}`)
}

const createChain = (reader: ChainReader, reads: HistoryReads): ClosedChain => {
  const node = withTallyRules(reader, reads.rules)
  const states = new Map<number, StateAt>()
  const stateAt = (height: number): StateAt => {
    const state = states.get(height) ?? createStateAt(node, height)
    states.set(height, state)
    return state
  }
  const blockAt = (height: number) => readBlockAt(reader, height, reads)
  return { node, tip: reads.tip, blockAt, stateAt }
}

/** An outage of one read must not cost the hundreds of reads before it. */
const REPEATED_MS = 60_000
/** Per endpoint. Its pace limits the rest. */
const MAX_CONCURRENT_QUERIES = 32

const withRepeats = (reads: HistoryReads): HistoryReads => {
  const { clock, logger, signal } = reads
  const repeating = { clock, logger, signal, budgetMs: REPEATED_MS }
  const options = { ...repeating, maxConcurrentQueries: MAX_CONCURRENT_QUERIES }
  const nodes = reads.nodes.map(({ name, node }) => ({
    name,
    node: createRetriedNode(node, options),
  }))
  return { ...reads, nodes }
}

/** Mismatches count only if no other endpoint has the right inputs. */
const quietly = ({ logger, metrics }: HistoryReads) => ({
  logger: logger.child({}, { level: 'silent' }),
  metrics: { ...metrics, tallyMismatches: { inc: () => undefined } },
})

const readRounds = async (
  { node }: BackgroundReader,
  target: ProposalState,
  reads: HistoryReads,
): Promise<Answer<PastRound[]>> => {
  const chain = createChain(node, reads)
  const ends = await findRoundEnds(chain, target)
  if (!isKnown(ends)) return ends
  const rounds: PastRound[] = []
  for (const [index, end] of ends.value.entries()) {
    const isLast = index === ends.value.length - 1
    const round = await readPastRound(chain, { end, isLast }, { ...reads, ...quietly(reads) })
    if (!isKnown(round)) return round
    rounds.push(round.value)
  }
  const found = rounds.at(-1)?.end.after.proposal.finalTally
  if (found && target.finalTally && !sameCounts(found, target.finalTally)) {
    return unavailable('its past state has another final tally than the latest state')
  }
  return known(rounds)
}

/** An endpoint that cannot answer is one without the state: the next one is asked. */
const readFrom = async (
  named: BackgroundReader,
  target: ProposalState,
  reads: HistoryReads,
): Promise<Answer<Opinion>> => {
  try {
    const rounds = await readRounds(named, target, reads)
    if (!isKnown(rounds)) return rounds
    const digest = hash('sha256', JSON.stringify(rounds.value.map(toDigested)), 'hex')
    return known({ ...named, rounds: rounds.value, digest })
  } catch (error) {
    if (hasCode(error, 'ABORTED') || !(error instanceof AppError)) throw error
    return unavailable(error.message)
  }
}

/** All that goes into events. */
const toDigested = ({ end, block, close, reading }: PastRound) => ({
  height: end.height,
  time: block.time,
  close,
  reading,
})

const isProved = ({ rounds }: Opinion): boolean =>
  rounds.every(({ match }) => match.matchesChain === 'yes')

const nameAll = (named: readonly BackgroundReader[]): string =>
  named.map(({ name }) => name).join(', ')

type Chosen = { opinion: Opinion; others: readonly Opinion[] }

/**
 * The first endpoint with a tally that equals the chain's result, or whose inputs a second one confirms. A single one that
 * answers counts as it is.
 */
const choose = async (target: ProposalState, reads: HistoryReads): Promise<Answer<Chosen>> => {
  const opinions: Opinion[] = []
  const reasons: string[] = []
  for (const named of reads.nodes) {
    const answer = await readFrom(named, target, reads)
    if (!isKnown(answer)) {
      reasons.push(`${named.name}: ${answer.unavailable}`)
      continue
    }
    const opinion = answer.value
    const { digest } = opinion
    if (isProved(opinion) || opinions.some((each) => each.digest === digest)) {
      return known({ opinion, others: opinions.filter((each) => each.digest !== digest) })
    }
    opinions.push(opinion)
  }
  const [opinion, ...others] = opinions
  if (!opinion) return unavailable(reasons.join('; ') || 'no endpoint is configured')
  if (others.length === 0) return known({ opinion, others })
  return unavailable(`the endpoints disagree about the vote: ${nameAll(opinions)}`)
}

/** The log names endpoints with other inputs, and a vote whose tally no inputs explain. */
const report = (
  { opinion, others }: Chosen,
  { proposalId }: ProposalState,
  { logger, metrics }: HistoryReads,
): void => {
  if (others.length > 0) {
    const fields = { proposalId, endpoint: opinion.name, others: nameAll(others) }
    logger.warn(fields, 'left out endpoints with another past state')
  }
  for (const { match, end } of opinion.rounds) {
    if (match.matchesChain !== 'no') continue
    metrics.tallyMismatches.inc()
    const fields = { height: end.height, proposalId, reason: match.reason }
    logger.error(fields, 'recomputed tally differs from the chain')
  }
}

const NOT_SEARCHED = 'votes before the first indexed height are not searched'

type Searched = { submitted: Submission | null; ofRounds: readonly DatedRound[] }

const searchVotes = async (
  { opinion, others }: Chosen,
  { proposalId }: ProposalState,
  { nodes, searchesVotes, signal }: HistoryReads,
): Promise<Searched> => {
  const { rounds } = opinion
  if (!searchesVotes) {
    const none = { votes: 'none', votesReason: NOT_SEARCHED } as const
    const ofRounds = rounds.map(({ reading }) => ({ ballots: reading.ballots, ...none }))
    return { submitted: null, ofRounds }
  }
  const outvoted = new Set(others.map(({ name }) => name))
  const found = await findVotes(proposalId, {
    nodes: nodes.filter(({ name }) => !outvoted.has(name)),
    until: rounds.at(-1)?.end.height ?? 0,
    signal,
  })
  const ofRounds = rounds.map(({ end, endOrdinal, reading }, index) =>
    dateBallots(found, {
      from: rounds[index - 1]?.end.height ?? 0,
      height: end.height,
      ordinal: endOrdinal,
      ballots: reading.ballots,
    }),
  )
  return { submitted: found.submitted, ofRounds }
}

type ToDraft = {
  messages: Message[]
  isLast: boolean
  submitted: Submission | null
  ofRound: DatedRound
}

const toDrafts = (
  { end, block, close, reading }: PastRound,
  { messages, isLast, submitted, ofRound }: ToDraft,
): HistoryDraft[] => {
  const { proposal } = end.after
  const { proposalId, round, finalTally, bondedTokens, params, unavailableReason } = close
  const proposer = proposal.proposer ?? submitted?.proposer ?? null
  const { ballots, votes, votesReason } = ofRound
  const of = { proposalId, round, final: true }
  return [
    {
      type: 'rollcall.vote.reconstructed.v1',
      data: {
        proposalId,
        round,
        finalTally,
        bondedTokens,
        params,
        unavailableReason,
        proposal: { ...proposal, proposer },
        ...(proposer === null ? { proposerReason: NO_PROPOSER } : {}),
        messages,
        isLast,
        closedHeight: end.height,
        closedTime: block.time,
        submitted: submitted && { height: submitted.height, txHash: submitted.txHash },
        votes,
        votesReason,
      },
    },
    ...toReadingData({ ...reading, ballots }, of, { maxChunks: SUB_LIMIT }).map(
      (data) => ({ type: 'rollcall.round.read.v1', data }) as const,
    ),
  ]
}

/** When the votes were cast that an open proposal had at the snapshot: of all that are found, those of its ballots are taken. */
export const findOpenVotes = async (
  { proposalId, open }: { proposalId: string; open: OpenVote },
  { nodes, rules, signal }: HistoryReads,
): Promise<Answer<Reconstruction>> => {
  const { stateHeight, round } = open
  const { votes, reason } = await findVotes(proposalId, { nodes, until: stateHeight, signal })
  if (votes.length === 0 && reason !== null) return unavailable(reason)
  const [node] = nodes
  const rule = node && (await rules.find(node.node, stateHeight))
  const last = new Map(votes.map((vote) => [vote.voter, vote]))
  const ballots = [...last.values()].map(({ voter, options, at }) => ({
    voter,
    options: [...options],
    cast: at,
  }))
  const reading = {
    height: stateHeight,
    rule: rule && isKnown(rule) ? rule.value.name : ('gov' as const),
    basis: undefined,
    pools: [],
    allPools: false,
    ballots,
    allBallots: false,
    missing: [],
  }
  const of = { proposalId, round, final: false }
  const drafts = toReadingData(reading, of, { maxChunks: SUB_LIMIT }).map(
    (data) => ({ type: 'rollcall.round.read.v1', data }) as const,
  )
  return known({ proposalId, drafts, votes: true, bytes: countBytes(drafts) })
}

/** `target`: a closed proposal, as in the latest state. Unavailable with its reason; throws only if aborted, or for a defect. */
export const reconstruct = async (
  target: ProposalState,
  options: HistoryReads,
): Promise<Answer<Reconstruction>> => {
  const reads = withRepeats(options)
  const { proposalId } = target
  const chosen = await choose(target, reads)
  if (!isKnown(chosen)) return chosen
  report(chosen.value, target, reads)
  const { rounds } = chosen.value.opinion
  const { submitted, ofRounds } = await searchVotes(chosen.value, target, reads)
  const { decode } = createDecodedProposals(reads.schemas)
  const drafts: HistoryDraft[] = []
  for (const [index, round] of rounds.entries()) {
    const { messages } = await decode(proposalId, round.end.after.messages)
    const isLast = index === rounds.length - 1
    const ofRound = ofRounds[index]
    if (!ofRound) continue
    for (const draft of toDrafts(round, { messages, isLast, submitted, ofRound })) {
      drafts.push(draft)
    }
  }
  return known({ proposalId, drafts, votes: reads.searchesVotes, bytes: countBytes(drafts) })
}
