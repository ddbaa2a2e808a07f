// Reads one closed proposal from past states: each round of its vote through the live close. Asks one endpoint after the other until the
// chain's own result, or a second endpoint, confirms what it says.
import { hash } from 'node:crypto'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { NO_PROPOSER } from '../begin/snapshot.ts'
import { type Answer, isKnown, known, unavailable } from '../chain/answer.ts'
import { createStateAt, type StateAt } from '../chain/state-at.ts'
import type { Block } from '../comet/blocks/block.ts'
import type { BackgroundReader, ChainReader } from '../comet/endpoints/node.ts'
import { SUB_LIMIT } from '../contract/envelope.ts'
import type { EventOf } from '../contract/events.ts'
import type { Message, ProposalState } from '../contract/facts.ts'
import { type ChainStates, createStates } from '../heights/height-state.ts'
import { decodeProposal } from '../proposals/proposal.ts'
import { type CloseData, closeData } from '../rounds/close.ts'
import { type ClosedReading, type ClosingMetrics, readSilentClosing } from '../rounds/closing.ts'
import { toReadingData } from '../rounds/reading-events.ts'
import { createSilentEnd, type EndedFact } from '../rounds/state-at-tally.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import { sameCounts } from '../tally/strategy.ts'
import { type TallyRules, withTallyRules } from '../tally-rules/find-rule.ts'
import { findRoundEnds, type PastChain, type RoundEnd } from './round-ends.ts'
import {
  type DatedRound,
  dateBallots,
  findVotes,
  readBlock,
  type Submission,
} from './vote-times.ts'

type DraftType = 'rollcall.vote.reconstructed.v1' | 'rollcall.round.read.v1'
type DraftOf<Type extends DraftType> = { type: Type; data: EventOf<Type>['data'] }

/** An event without its place in the log. */
export type HistoryDraft = { [Type in DraftType]: DraftOf<Type> }[DraftType]

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
  /** A height that is later than the end of the vote, such as the last indexed one. */
  tip: number
  clock: Clock
  signal: AbortSignal
  logger: Logger
  metrics: ClosingMetrics
}

type PastRound = ClosedReading & {
  end: RoundEnd
  block: Block
  /** The index of the end in its block: later votes belong to the next round. */
  endOrdinal: number
  close: CloseData
}

/** Many endpoints with old states have no results of old blocks: that of another one must have the header of this one. */
async function readBlockAt(
  node: ChainReader,
  height: number,
  { nodes, signal }: HistoryReads,
): Promise<Answer<Block>> {
  const own = await readBlock(height, { nodes: [{ name: 'its own', node }], signal })
  if (own) return known(own)
  const block = await readBlock(height, { nodes, signal })
  if (!block) return unavailable(`no endpoint has the block of height ${height}`)
  const { time, previousHash } = await node.header(height)
  if (block.time === time && block.previousHash === previousHash) return known(block)
  return unavailable(`the endpoints disagree about the block of height ${height}`)
}

/** The end in the events of its block; without one, after all of them, as a silent end. */
function findEndedFact(
  { plan }: ChainStates,
  { proposalId, status, isLast }: { proposalId: string; status: string; isLast: boolean },
): EndedFact {
  const found = plan.facts
    .map(({ fact }) => fact)
    .find(
      (fact): fact is EndedFact =>
        (fact.kind === 'closed' || fact.kind === 'restarted') && fact.proposalId === proposalId,
    )
  const silent = createSilentEnd(proposalId, status)
  const { ordinal, abciOrdinal, sub, txIndex, result, log } = found ?? silent
  const about = { ordinal, abciOrdinal, sub, txIndex, proposalId, result, log }
  return isLast ? { ...silent, ...about } : { ...about, kind: 'restarted' }
}

/** Far more than a slow endpoint needs for a hundred thousand reads. */
const BUDGET_MS = 12 * 3_600_000

/** A complete reading, or why there is none. */
async function readPastRound(
  chain: PastChain,
  { end, isLast }: { end: RoundEnd; isLast: boolean },
  reads: HistoryReads,
): Promise<Answer<PastRound>> {
  const { height, round, after } = end
  const { proposalId, status } = after.proposal
  const block = await readBlockAt(chain.node, height, reads)
  if (!isKnown(block)) return block
  const states = createStates(chain.node, block.value, chain.stateAt)
  const votes = await states.before.votes(proposalId)
  if (!isKnown(votes)) return votes
  const fact = findEndedFact(states, { proposalId, status, isLast })
  const close = await closeData(states, { round, fact })
  const closed = await readSilentClosing(
    { states, fact, close, before: undefined },
    {
      ...reads,
      budgetMs: BUDGET_MS,
      // A mismatch counts only if no other endpoint has the right inputs.
      logger: reads.logger.child({}, { level: 'silent' }),
      metrics: { ...reads.metrics, tallyMismatches: { inc: () => undefined } },
    },
  )
  const { missing } = closed.reading
  if (missing.length > 0) return unavailable(missing.join('; '))
  return known({ ...closed, end, block: block.value, endOrdinal: fact.abciOrdinal })
}

async function readRounds(
  { node: reader }: BackgroundReader,
  target: ProposalState,
  reads: HistoryReads,
): Promise<Answer<PastRound[]>> {
  const node = withTallyRules(reader, reads.rules)
  const states = new Map<number, StateAt>()
  const stateAt = (height: number): StateAt => {
    const state = states.get(height) ?? createStateAt(node, height)
    states.set(height, state)
    return state
  }
  const { earliestHeight } = await node.status()
  const chain = { node, first: Math.max(earliestHeight, 1), tip: reads.tip, stateAt }
  const ends = await findRoundEnds(chain, target)
  if (!isKnown(ends)) return ends
  const rounds: PastRound[] = []
  for (const [index, end] of ends.value.entries()) {
    const isLast = index === ends.value.length - 1
    const round = await readPastRound(chain, { end, isLast }, reads)
    if (!isKnown(round)) return round
    rounds.push(round.value)
  }
  const found = rounds.at(-1)?.end.after.proposal.finalTally
  if (found && target.finalTally && !sameCounts(found, target.finalTally)) {
    return unavailable('its past state has another final tally than the latest state')
  }
  return known(rounds)
}

/** What one endpoint says, and the digest of all that goes into events. */
type Opinion = { name: string; rounds: readonly PastRound[]; digest: string }

/** An endpoint that cannot answer is one without the state: the next one is asked. */
async function readOpinion(
  named: BackgroundReader,
  target: ProposalState,
  reads: HistoryReads,
): Promise<Answer<Opinion>> {
  try {
    const answer = await readRounds(named, target, reads)
    if (!isKnown(answer)) return answer
    const rounds = answer.value
    const digested = rounds.map(({ end, block, close, reading }) => {
      return { height: end.height, time: block.time, close, reading }
    })
    const digest = hash('sha256', JSON.stringify(digested), 'hex')
    return known({ name: named.name, rounds, digest })
  } catch (error) {
    if (hasCode(error, 'ABORTED') || !(error instanceof AppError)) throw error
    return unavailable(error.message)
  }
}

const isProved = ({ rounds }: Opinion): boolean =>
  rounds.every(({ match }) => match.matchesChain === 'yes')

/**
 * The first endpoint with a tally that equals the chain's result, or whose inputs another one confirms. A single one that
 * answers counts as it is.
 */
async function choose(target: ProposalState, reads: HistoryReads): Promise<Answer<Opinion>> {
  const opinions: Opinion[] = []
  const reasons: string[] = []
  for (const named of reads.nodes) {
    const answer = await readOpinion(named, target, reads)
    if (isKnown(answer)) {
      const isConfirmed = opinions.some(({ digest }) => digest === answer.value.digest)
      if (isConfirmed || isProved(answer.value)) return answer
      opinions.push(answer.value)
    } else reasons.push(`${named.name}: ${answer.unavailable}`)
  }
  const [opinion, ...others] = opinions
  if (!opinion) return unavailable(reasons.join('; ') || 'no endpoint is configured')
  if (others.length === 0) return known(opinion)
  const names = opinions.map(({ name }) => name).join(', ')
  return unavailable(`the endpoints disagree about the vote: ${names}`)
}

const NOT_SEARCHED = 'votes before the first indexed height are not searched'

async function dateRounds(
  rounds: readonly PastRound[],
  { proposalId }: ProposalState,
  { nodes, searchesVotes, signal }: HistoryReads,
): Promise<{ submitted: Submission | null; dated: readonly DatedRound[] }> {
  if (!searchesVotes) {
    const none = { votes: 'none', votesReason: NOT_SEARCHED } as const
    const dated = rounds.map(({ reading }) => ({ ballots: reading.ballots, ...none }))
    return { submitted: null, dated }
  }
  const until = rounds.at(-1)?.end.height ?? 0
  const found = await findVotes(proposalId, { nodes, until, signal })
  const dated = rounds.map(({ end, endOrdinal, reading }, index) =>
    dateBallots(found, {
      from: rounds[index - 1]?.end.height ?? 0,
      height: end.height,
      ordinal: endOrdinal,
      ballots: reading.ballots,
    }),
  )
  return { submitted: found.submitted, dated }
}

function toReadDrafts(...args: Parameters<typeof toReadingData>): HistoryDraft[] {
  return toReadingData(...args).map((data) => ({ type: 'rollcall.round.read.v1', data }))
}

function toReconstruction(
  proposalId: string,
  drafts: readonly HistoryDraft[],
  votes: boolean,
): Reconstruction {
  const bytes = drafts.reduce((sum, { data }) => sum + Buffer.byteLength(JSON.stringify(data)), 0)
  return { proposalId, drafts, votes, bytes }
}

type Known = { messages: Message[]; submitted: Submission | null; isLast: boolean }

function toDrafts(
  { end, block, close, reading }: PastRound,
  { ballots, votes, votesReason }: DatedRound,
  { messages, submitted, isLast }: Known,
): HistoryDraft[] {
  const { proposal } = end.after
  const { proposalId, round, finalTally, unavailableReason } = close
  const proposer = proposal.proposer ?? submitted?.proposer ?? null
  const of = { proposalId, round, final: true }
  return [
    {
      type: 'rollcall.vote.reconstructed.v1',
      data: {
        proposalId,
        round,
        finalTally,
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
    ...toReadDrafts({ ...reading, ballots }, of, { maxChunks: SUB_LIMIT }),
  ]
}

/** `target`: a closed proposal, as in the latest state. Unavailable with its reason; throws only if aborted, or for a defect. */
export async function reconstruct(
  target: ProposalState,
  reads: HistoryReads,
): Promise<Answer<Reconstruction>> {
  const { proposalId } = target
  const chosen = await choose(target, reads)
  if (!isKnown(chosen)) return chosen
  const { name, rounds } = chosen.value
  const { submitted, dated } = await dateRounds(rounds, target, reads)
  const drafts: HistoryDraft[] = []
  for (const [index, round] of rounds.entries()) {
    const { end, match } = round
    if (match.matchesChain === 'no') {
      reads.metrics.tallyMismatches.inc()
      const about = { height: end.height, proposalId, endpoint: name, reason: match.reason }
      reads.logger.error(about, 'recomputed tally differs from the chain')
    }
    const { messages } = await decodeProposal(reads.schemas, end.after.messages)
    const known = { messages, submitted, isLast: index === rounds.length - 1 }
    drafts.push(...toDrafts(round, dated[index]!, known))
  }
  return known(toReconstruction(proposalId, drafts, reads.searchesVotes))
}

/** When the votes were cast that an open proposal had at the snapshot: of all that are found, those of its ballots are taken. */
export async function findOpenVotes(
  { proposalId, round, stateHeight }: { proposalId: string; round: number; stateHeight: number },
  { nodes, rules, signal }: HistoryReads,
): Promise<Answer<Reconstruction>> {
  const { votes, reason } = await findVotes(proposalId, { nodes, until: stateHeight, signal })
  if (votes.length === 0 && reason !== null) return unavailable(reason)
  const [node] = nodes
  const rule = node && (await rules.find(node.node, stateHeight))
  const last = new Map(votes.map((vote) => [vote.voter, vote]))
  const ballots = [...last.values()].map(({ voter, options, metadata, at }) => {
    return { voter, options: [...options], ...(metadata ? { metadata } : {}), cast: at }
  })
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
  const drafts = toReadDrafts(
    reading,
    { proposalId, round, final: false },
    { maxChunks: SUB_LIMIT },
  )
  return known(toReconstruction(proposalId, drafts, true))
}
