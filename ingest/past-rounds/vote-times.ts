// Finds when the ballots of a past vote were cast: the index of an endpoint names heights, which are read like any other height.
import pLimit from 'p-limit'
import { abortedError } from '../../infra/base/runtime/abort.ts'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import type { Block } from '../comet/blocks/block.ts'
import type { BackgroundReader, FoundHeights } from '../comet/endpoints/node.ts'
import { addressKey } from '../contract/address.ts'
import type { WeightedOption } from '../contract/facts.ts'
import type { CastAt, ReadBallot } from '../contract/round-events.ts'
import { sameOptions } from '../contract/same-options.ts'
import { deriveFacts } from '../derive/derive.ts'
import type { RawFactOf } from '../derive/raw-fact.ts'

type Reads = { nodes: readonly BackgroundReader[]; signal: AbortSignal }

export type Submission = { height: number; txHash: string | null; proposer: string | null }

/** A vote in a block. `ordinal`: of its ABCI event. */
type FoundVote = { voter: string; options: readonly WeightedOption[]; at: CastAt; ordinal: number }

export type FoundVotes = {
  /** In the order of the chain. */
  votes: readonly FoundVote[]
  submitted: Submission | null
  /** Why some may be missing; null if nothing shows it. */
  reason: string | null
}

const BLOCKS_UNDER_WAY = 16
/** An index that names more heights is not believed. */
const MAX_HEIGHTS = 200_000

const unlessDefect = (error: unknown): AppError => {
  if (hasCode(error, 'ABORTED') || !(error instanceof AppError)) throw error
  return error
}

/** From the first endpoint that has it. Undefined if none has it. */
export const readBlock = async (height: number, { nodes, signal }: Reads) => {
  for (const { node } of nodes) {
    if (signal.aborted) throw abortedError(signal)
    const block = await node.block(height).catch((error: unknown) => void unlessDefect(error))
    if (block) return block
  }
  return undefined
}

const toVotes = (block: Block, proposalId: string): FoundVote[] =>
  deriveFacts(block).flatMap((fact): FoundVote[] => {
    if (fact.kind !== 'vote_cast' || fact.proposalId !== proposalId) return []
    const { voter, counted, options, txIndex, abciOrdinal: ordinal } = fact
    if (voter === null || !counted) return []
    const txHash = txIndex === null ? null : (block.txs[txIndex]?.hash ?? null)
    const at = { height: block.height, time: block.time, txHash }
    return [{ voter, options, at, ordinal }]
  })

const toSubmission = (block: Block, proposalId: string): Submission[] =>
  deriveFacts(block)
    .filter((fact): fact is RawFactOf<'submitted'> => fact.kind === 'submitted')
    .filter((fact) => fact.proposalId === proposalId)
    .map(({ txIndex, proposer }) => ({
      height: block.height,
      txHash: txIndex === null ? null : (block.txs[txIndex]?.hash ?? null),
      proposer,
    }))

/** Up to the height `until`. Throws only if aborted, or for a defect. */
export const findVotes = async (
  proposalId: string,
  { until, ...reads }: Reads & { until: number },
): Promise<FoundVotes> => {
  const reasons = new Set<string>()
  const limit = pLimit(BLOCKS_UNDER_WAY)
  const readNamed = async (query: string): Promise<Block[]> => {
    const heights = new Set<number>()
    for (const { node } of reads.nodes) {
      const found: FoundHeights = await node.searchTxs(query).catch((error: unknown) => ({
        heights: [],
        reason: unlessDefect(error).message,
      }))
      for (const height of found.heights) if (height <= until) heights.add(height)
      if (found.reason === null && heights.size > 0) break
      if (found.reason !== null) reasons.add(found.reason)
    }
    if (heights.size > MAX_HEIGHTS) reasons.add(`an index names ${heights.size} heights`)
    const wanted = [...heights].slice(0, MAX_HEIGHTS).sort((one, other) => one - other)
    const blocks = await Promise.all(wanted.map((height) => limit(() => readBlock(height, reads))))
    const present = blocks.filter((block) => block !== undefined)
    const lacking = wanted.length - present.length
    if (lacking > 0) reasons.add(`no endpoint has the blocks of ${lacking} heights`)
    return present
  }
  const votes = await readNamed(`proposal_vote.proposal_id='${proposalId}'`)
  const submissions = await readNamed(`submit_proposal.proposal_id='${proposalId}'`)
  const [submitted = null] = submissions.flatMap((block) => toSubmission(block, proposalId))
  const reason = reasons.size === 0 ? null : [...reasons].join('; ')
  return { votes: votes.flatMap((block) => toVotes(block, proposalId)), submitted, reason }
}

/** A round with its end: later votes belong to the next one. */
type Ended = { from: number; height: number; ordinal: number; ballots: readonly ReadBallot[] }

export type DatedRound = {
  ballots: readonly ReadBallot[]
  votes: 'all' | 'some' | 'none'
  votesReason: string | null
}

/** The ballots of a round, with the last vote of each voter if that has the options of the ballot: else a later one was not found. */
export const dateBallots = (
  { votes, reason }: Pick<FoundVotes, 'votes' | 'reason'>,
  { from, height, ordinal, ballots }: Ended,
): DatedRound => {
  const last = new Map<string, FoundVote>()
  for (const vote of votes) {
    const isUntil =
      vote.at.height < height || (vote.at.height === height && vote.ordinal <= ordinal)
    if (vote.at.height > from && isUntil) last.set(addressKey(vote.voter), vote)
  }
  let missing = 0
  const dated = ballots.map((ballot): ReadBallot => {
    const found = last.get(addressKey(ballot.voter))
    if (found && sameOptions(found.options, ballot.options ?? []))
      return { ...ballot, cast: found.at }
    missing += 1
    return ballot
  })
  if (missing === 0) return { ballots: dated, votes: 'all', votesReason: null }
  const lacking = `the votes of ${missing} of ${ballots.length} voters were not found`
  const votesReason = reason === null ? lacking : `${lacking}: ${reason}`
  return { ballots: dated, votes: missing < ballots.length ? 'some' : 'none', votesReason }
}
