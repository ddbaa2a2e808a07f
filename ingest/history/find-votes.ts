// Finds the votes on a proposal in past blocks. The transaction index of an endpoint only says which heights to read.
// Each of these is read like any other height. The caller compares the votes with the ballots in the state.
import pLimit from 'p-limit'
import { abortedError } from '../../infra/base/runtime/abort.ts'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import type { Block } from '../comet/block.ts'
import type { BackgroundReader, FoundHeights } from '../comet/node.ts'
import type { FoundVote } from '../contract/history-events.ts'
import { deriveFacts } from '../derive/derive.ts'
import type { RawFactOf } from '../derive/raw-fact.ts'

/** With its position in the block, and without what no event has. */
export type PlacedVote = { vote: FoundVote; ordinal: number }

export type Submission = { height: number; txHash: string | null; proposer: string | null }

export type FoundVotes = {
  /** In the order of the chain, also votes that a later one replaced. */
  votes: readonly PlacedVote[]
  submitted: Submission | null
  /** Why some may be missing; null if nothing shows it. */
  reason: string | null
}

export type VoteSearch = {
  /** In the order in which they are asked. */
  nodes: readonly BackgroundReader[]
  /** The last height of interest. */
  until: number
  /** Blocks that are read already, such as the one that ended the vote. */
  blocks: readonly Block[]
  /** Number of voters in the state: an index that names far more heights is not believed. */
  voters: number
  /** Ends the search, before all endpoints are asked for their index. */
  isComplete(votes: readonly PlacedVote[]): boolean
  signal: AbortSignal
}

const BLOCKS_UNDER_WAY = 16
/** Voters change their votes, but not that often. */
const MAX_HEIGHTS_PER_VOTER = 8
const SPARE_HEIGHTS = 1_000
/** A proposal is submitted once; other modules may write the same event. */
const MAX_SUBMISSIONS = 8

const orReason = async (search: Promise<FoundHeights>): Promise<FoundHeights> => {
  try {
    return await search
  } catch (error) {
    if (hasCode(error, 'ABORTED') || !(error instanceof AppError)) throw error
    return { heights: [], reason: error.message }
  }
}

/** From the first endpoint that has it. Undefined if none has it. */
export const readBlock = async (
  height: number,
  { nodes, signal }: Pick<VoteSearch, 'nodes' | 'signal'>,
): Promise<Block | undefined> => {
  for (const { node } of nodes) {
    if (signal.aborted) throw abortedError(signal)
    try {
      return await node.block(height)
    } catch (error) {
      if (hasCode(error, 'ABORTED') || !(error instanceof AppError)) throw error
    }
  }
  return undefined
}

type Collected = {
  votes: PlacedVote[]
  read: Set<number>
  /** Heights without a block or results. */
  lacking: number[]
  nameless: number
}

const toVote = (
  fact: RawFactOf<'vote_cast'> & { voter: string },
  { height, time, txs }: Block,
): PlacedVote => {
  const { voter, options, counted, txIndex, abciOrdinal: ordinal } = fact
  const txHash = txIndex === null ? null : (txs[txIndex]?.hash ?? null)
  return { vote: { voter, options, counted, height, time, txHash }, ordinal }
}

const collect = (collected: Collected, proposalId: string, block: Block): void => {
  collected.read.add(block.height)
  for (const fact of deriveFacts(block)) {
    if (fact.kind !== 'vote_cast' || fact.proposalId !== proposalId) continue
    const { voter } = fact
    if (voter === null) collected.nameless += 1
    else collected.votes.push(toVote({ ...fact, voter }, block))
  }
}

const inOrder = (votes: readonly PlacedVote[]): PlacedVote[] =>
  votes.toSorted((one, other) => one.vote.height - other.vote.height || one.ordinal - other.ordinal)

/** The reason, if the heights are too many. */
const readHeights = async (
  proposalId: string,
  { heights, collected }: { heights: readonly number[]; collected: Collected },
  search: VoteSearch,
): Promise<string | null> => {
  const { until, voters } = search
  const wanted = [...new Set(heights)].filter(
    (height) => height <= until && !collected.read.has(height),
  )
  const most = voters * MAX_HEIGHTS_PER_VOTER + SPARE_HEIGHTS
  const limit = pLimit(BLOCKS_UNDER_WAY)
  const readOne = async (height: number) => {
    collected.read.add(height)
    const block = await readBlock(height, search)
    if (block) collect(collected, proposalId, block)
    else collected.lacking.push(height)
  }
  const first = wanted.slice(0, most)
  await Promise.all(first.map((height) => limit(() => readOne(height))))
  return wanted.length > most
    ? `an index names ${wanted.length} heights for ${voters} voters`
    : null
}

const describeLacking = ({ lacking, nameless }: Collected): string[] => {
  const [first, ...others] = lacking.toSorted((one, other) => one - other)
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  return [
    ...(first === undefined ? [] : [`no endpoint has the block of height ${first}${more}`]),
    ...(nameless > 0 ? [`${nameless} votes name no voter`] : []),
  ]
}

const findSubmitted = (block: Block, proposalId: string): RawFactOf<'submitted'> | undefined =>
  deriveFacts(block)
    .filter((fact): fact is RawFactOf<'submitted'> => fact.kind === 'submitted')
    .find((fact) => fact.proposalId === proposalId)

/** Null if it was not found. */
const findSubmission = async (
  proposalId: string,
  search: Pick<VoteSearch, 'nodes' | 'until' | 'signal'>,
): Promise<Submission | null> => {
  const query = `submit_proposal.proposal_id='${proposalId}'`
  for (const { node } of search.nodes) {
    const { heights } = await orReason(node.searchTxs(query))
    const wanted = heights.filter((height) => height <= search.until).slice(0, MAX_SUBMISSIONS)
    for (const height of wanted) {
      const block = await readBlock(height, search)
      const fact = block && findSubmitted(block, proposalId)
      if (!fact) continue
      const { txIndex, proposer } = fact
      const txHash = txIndex === null ? null : (block.txs[txIndex]?.hash ?? null)
      return { height, txHash, proposer }
    }
  }
  return null
}

/** Throws only if aborted, or for a defect. */
export const findVotes = async (proposalId: string, search: VoteSearch): Promise<FoundVotes> => {
  const collected: Collected = { votes: [], read: new Set(), lacking: [], nameless: 0 }
  for (const block of search.blocks) collect(collected, proposalId, block)
  const query = `proposal_vote.proposal_id='${proposalId}'`
  const reasons: string[] = []
  for (const { node } of search.nodes) {
    if (search.isComplete(inOrder(collected.votes))) break
    const { heights, reason } = await orReason(node.searchTxs(query))
    const tooMany = await readHeights(proposalId, { heights, collected }, search)
    for (const each of [reason, tooMany]) if (each !== null) reasons.push(each)
  }
  const submitted = await findSubmission(proposalId, search)
  const all = [...new Set(reasons), ...describeLacking(collected)]
  const reason = all.length === 0 ? null : all.join('; ')
  return { votes: inOrder(collected.votes), submitted, reason }
}
