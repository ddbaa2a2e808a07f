// Finds when the ballots of a past vote were cast: the index of an endpoint names heights, which are read like any other height.
import pLimit from 'p-limit'
import { abortedError } from '../../infra/base/runtime/abort.ts'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import type { Block } from '../comet/blocks/block.ts'
import type { BackgroundReader, FoundHeights } from '../comet/endpoints/node.ts'
import { addressKey } from '../contract/address.ts'
import type { WeightedOption } from '../contract/facts.ts'
import { sameOptions } from '../contract/facts.ts'
import type { CastAt, ReadBallot } from '../contract/round-events.ts'
import { deriveFacts } from '../derive/derive.ts'

type Reads = { nodes: readonly BackgroundReader[]; signal: AbortSignal }

export type Submission = { height: number; txHash: string | null; proposer: string | null }

/** A vote in a block. `ordinal`: of its ABCI event. */
type FoundVote = {
  voter: string
  options: readonly WeightedOption[]
  metadata: string | undefined
  at: CastAt
  ordinal: number
}

export type FoundVotes = {
  /** In the order of the chain. */
  votes: readonly FoundVote[]
  submitted: Submission | null
  /** Why some may be missing; null if nothing shows it. */
  reason: string | null
}

const BLOCKS_UNDER_WAY = 16

function toReason(error: unknown): string {
  if (hasCode(error, 'ABORTED') || !(error instanceof AppError)) throw error
  return error.message
}

/** From the first endpoint that has it. Undefined if none has it. */
export async function readBlock(height: number, { nodes, signal }: Reads) {
  for (const { node } of nodes) {
    if (signal.aborted) throw abortedError(signal)
    const block = await node.block(height).catch((error: unknown) => void toReason(error))
    if (block) return block
  }
  return undefined
}

function findInBlock(block: Block, proposalId: string) {
  const votes: FoundVote[] = []
  let submitted: Submission | null = null
  for (const fact of deriveFacts(block)) {
    if (!('proposalId' in fact) || fact.proposalId !== proposalId) continue
    const { height, time } = block
    const txHash = fact.txIndex === null ? null : (block.txs[fact.txIndex]?.hash ?? null)
    if (fact.kind === 'submitted') submitted = { height, txHash, proposer: fact.proposer }
    if (fact.kind !== 'vote_cast' || fact.voter === null || !fact.counted) continue
    const { voter, options, reason = {}, abciOrdinal: ordinal } = fact
    const { metadata, memo } = reason
    const at = { height, time, txHash, ...(memo ? { memo } : {}) }
    votes.push({ voter, options, metadata, at, ordinal })
  }
  return { votes, submitted }
}

/** Up to the height `until`. Throws only if aborted, or for a defect. */
export async function findVotes(
  proposalId: string,
  { until, ...reads }: Reads & { until: number },
): Promise<FoundVotes> {
  const reasons = new Set<string>()
  const heights = new Set<number>()
  for (const event of ['proposal_vote', 'submit_proposal']) {
    for (const { node } of reads.nodes) {
      const query = `${event}.proposal_id='${proposalId}'`
      const found = await node.searchTxs(query).catch((error: unknown): FoundHeights => {
        return { heights: [], reason: toReason(error) }
      })
      for (const height of found.heights) if (height <= until) heights.add(height)
      if (found.reason !== null) reasons.add(found.reason)
      else if (found.heights.length > 0) break
    }
  }
  const limit = pLimit(BLOCKS_UNDER_WAY)
  const ordered = [...heights].sort((one, other) => one - other)
  const read = async (height: number) => {
    const block = await readBlock(height, reads)
    return block && findInBlock(block, proposalId)
  }
  const blocks = await Promise.all(ordered.map((height) => limit(() => read(height))))
  const lacking = blocks.filter((block) => block === undefined).length
  if (lacking > 0) reasons.add(`no endpoint has the blocks of ${lacking} heights`)
  return {
    votes: blocks.flatMap((block) => block?.votes ?? []),
    submitted: blocks.find((block) => block?.submitted)?.submitted ?? null,
    reason: reasons.size === 0 ? null : [...reasons].join('; '),
  }
}

/** A round with its end: later votes belong to the next one. */
type Ended = { from: number; height: number; ordinal: number; ballots: readonly ReadBallot[] }

export type DatedRound = {
  ballots: readonly ReadBallot[]
  votes: 'all' | 'some' | 'none'
  votesReason: string | null
}

/** The ballots of a round, with the last vote of each voter if that has the options of the ballot: else a later one was not found. */
export function dateBallots(
  { votes, reason }: Pick<FoundVotes, 'votes' | 'reason'>,
  { from, height, ordinal, ballots }: Ended,
): DatedRound {
  const last = new Map<string, FoundVote>()
  for (const vote of votes) {
    const isUntil =
      vote.at.height < height || (vote.at.height === height && vote.ordinal <= ordinal)
    if (vote.at.height > from && isUntil) last.set(addressKey(vote.voter), vote)
  }
  const dated = ballots.map((ballot): ReadBallot => {
    const found = last.get(addressKey(ballot.voter))
    const isSame = found && sameOptions(found.options, ballot.options ?? [])
    return isSame ? { ...ballot, cast: found.at } : ballot
  })
  const missing = dated.filter(({ cast }) => cast === undefined).length
  if (missing === 0) return { ballots: dated, votes: 'all', votesReason: null }
  const lacking = `the votes of ${missing} of ${ballots.length} voters were not found`
  const votesReason = reason === null ? lacking : `${lacking}: ${reason}`
  return { ballots: dated, votes: missing < ballots.length ? 'some' : 'none', votesReason }
}
