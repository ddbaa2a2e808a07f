// Finds the heights that ended the rounds of a closed proposal: by the times in its state, or else by the state alone. The states before
// and after verify each.
import { type Answer, isKnown, known, unavailable } from '../chain/answer.ts'
import type { ProposalContent } from '../chain/proposal-content.ts'
import type { StateAt } from '../chain/state-at.ts'
import { toEpochMs } from '../chain/time.ts'
import { isBefore, parseInstant } from '../comet/blocks/block.ts'
import type { BlockHeader, ChainReader } from '../comet/endpoints/node.ts'
import type { ProposalState } from '../contract/facts.ts'
import { isOpen } from '../contract/governance/fact.ts'
import { searchClosingHeight } from '../proposals/reconciled.ts'
import { roundInState } from '../proposals/vote-round.ts'

export type BlockTime = Pick<BlockHeader, 'height' | 'time'>

/** `first`: the chain or the endpoint has no block before it. */
type HeightSince = { height: number; first: BlockHeader | null }

/** Interpolated probes, then halvings: together at most 40 for any chain of 16 million blocks. */
const MAX_GUESSES = 14
const MAX_PROBES = 40
/** How far beyond the estimate to look, as a part of the distance: then the rest is short at both ends. */
const MARGIN = 0.02

function guess(low: BlockTime, high: BlockTime, time: string): number {
  const [from, to, at] = [low.time, high.time, time].map(toEpochMs) as [number, number, number]
  const blocks = high.height - low.height
  const below = to > from ? (blocks * (at - from)) / (to - from) : blocks / 2
  const above = blocks - below
  const beyond = Math.ceil(Math.min(below, above) * MARGIN)
  const offset = Math.round(below < above ? below + beyond : below - beyond)
  return low.height + Math.min(Math.max(offset, 1), blocks - 1)
}

/**
 * The first block with this time or a later one, by about six headers. Undefined if `tip` is earlier. Times of consecutive blocks may be
 * equal. The caller verifies the height: the times of headers are the word of one endpoint.
 */
export async function findHeightSince(
  node: Pick<ChainReader, 'status' | 'header'>,
  { time, tip }: { time: string; tip: BlockTime },
): Promise<Answer<HeightSince | undefined>> {
  if (!parseInstant(time)) return unavailable(`${time} is not a time of a block`)
  if (isBefore(tip.time, time)) return known(undefined)
  const { earliestHeight } = await node.status()
  const first = await node.header(Math.max(earliestHeight, 1))
  if (!isBefore(first.time, time)) return known({ height: first.height, first })
  let [low, high]: [BlockTime, BlockTime] = [first, tip]
  for (let probes = 0; high.height - low.height > 1; probes++) {
    if (probes === MAX_PROBES) {
      return unavailable(`no block since ${time} was found by ${probes} headers`)
    }
    const middle = Math.floor((low.height + high.height) / 2)
    const header = await node.header(probes < MAX_GUESSES ? guess(low, high, time) : middle)
    if (isBefore(header.time, time)) low = header
    else high = header
  }
  return known({ height: high.height, first: null })
}

/** A chain with the states of a closed proposal. */
export type PastChain = {
  node: ChainReader
  /** Shared by all reads of a proposal. */
  stateAt(height: number): StateAt
  tip: BlockTime
}

export type RoundEnd = {
  round: number
  /** The first height whose state has the result. */
  height: number
  before: ProposalContent
  after: ProposalContent
}

type Wanted = {
  proposalId: string
  /** When the vote began, and when the round should end by its state. */
  startTime: string
  endTime: string
  hasEnded(proposal: ProposalState | undefined): boolean
}

const isVoteOver: Wanted['hasEnded'] = (proposal) => proposal === undefined || !isOpen(proposal)
/** An expedited vote that failed is open, and not expedited any more. */
const isFirstOver: Wanted['hasEnded'] = (proposal) => isVoteOver(proposal) || !proposal?.expedited

function explainStart({ height, time, previousHash }: BlockHeader): string {
  const block = `height ${height} of ${time}`
  return previousHash === ''
    ? `the first block of this chain, ${block}, is later: the vote was on an earlier chain`
    : `the first block of the endpoint, ${block}, is later`
}

type End = Omit<RoundEnd, 'round'>

/** Undefined if the states do not show the end at this height. */
async function readEnd(
  { stateAt }: PastChain,
  { proposalId, hasEnded }: Wanted,
  height: number,
): Promise<Answer<End | undefined>> {
  const [after, before] = await Promise.all([
    stateAt(height).proposal(proposalId),
    stateAt(height - 1).proposal(proposalId),
  ])
  if (!isKnown(after)) return unavailable(after.unavailable)
  if (!isKnown(before)) return unavailable(before.unavailable)
  const isEnd = hasEnded(after.value.proposal) && !hasEnded(before.value.proposal)
  return known(isEnd ? { height, before: before.value, after: after.value } : undefined)
}

async function findStart({ node, tip }: PastChain, time: string): Promise<Answer<number>> {
  const since = await findHeightSince(node, { time, tip })
  if (!isKnown(since)) return since
  return since.value ? known(since.value.height) : unavailable(`no block is as late as ${time}`)
}

async function findEnd(chain: PastChain, wanted: Wanted): Promise<Answer<End>> {
  const { node, tip } = chain
  const { proposalId, startTime, endTime, hasEnded } = wanted
  const since = await findHeightSince(node, { time: endTime, tip })
  if (!isKnown(since)) return since
  if (since.value?.first) {
    return unavailable(`the vote ended at ${endTime}: ${explainStart(since.value.first)}`)
  }
  const byTime = since.value && (await readEnd(chain, wanted, since.value.height))
  if (byTime && !isKnown(byTime)) return byTime
  if (byTime?.value) return known(byTime.value)
  // A module may prolong a vote, or end it early.
  const from = await findStart(chain, startTime)
  if (!isKnown(from)) return from
  const range = { from: from.value, to: tip.height }
  const found = await searchClosingHeight(node, { ...range, proposalId, hasEnded })
  if (!isKnown(found)) return unavailable(found.unavailable)
  const byState = await readEnd(chain, wanted, found.value)
  if (!isKnown(byState)) return byState
  return byState.value
    ? known(byState.value)
    : unavailable(`no height was found at which the vote on proposal ${proposalId} ended`)
}

/** The end of an expedited vote that failed before the last round. Undefined if the last round was the first one. */
async function findFirstEnd(
  chain: PastChain,
  { proposalId, startTime, endTime: time }: Omit<Wanted, 'hasEnded'>,
  last: End,
): Promise<Answer<End> | undefined> {
  const params = await chain.stateAt(last.height - 1).params()
  if (!isKnown(params)) return params
  const { round, roundReason } = roundInState(last.before, { params: params.value, time })
  if (round === 1 && roundReason === undefined) return undefined
  const start = await findStart(chain, startTime)
  if (!isKnown(start)) return start
  const first = await chain.stateAt(start.value).proposal(proposalId)
  if (!isKnown(first)) {
    return unavailable(`whether an expedited vote came before: ${first.unavailable}`)
  }
  const { expedited, votingEndTime } = first.value.proposal
  if (!expedited) return undefined
  if (votingEndTime === null) return unavailable('the state has no end of the expedited vote')
  return findEnd(chain, { proposalId, startTime, endTime: votingEndTime, hasEnded: isFirstOver })
}

/** Every round of the closed proposal, in order. */
export async function findRoundEnds(
  chain: PastChain,
  { proposalId, votingStartTime, votingEndTime }: ProposalState,
): Promise<Answer<RoundEnd[]>> {
  if (votingStartTime === null || votingEndTime === null) return unavailable('there was no vote')
  const times = { startTime: votingStartTime, endTime: votingEndTime }
  const last = await findEnd(chain, { proposalId, ...times, hasEnded: isVoteOver })
  if (!isKnown(last)) return last
  const first = await findFirstEnd(chain, { proposalId, ...times }, last.value)
  if (!first) return known([{ ...last.value, round: 1 }])
  if (!isKnown(first)) return unavailable(`the expedited vote before: ${first.unavailable}`)
  return known([
    { ...first.value, round: 1 },
    { ...last.value, round: 2 },
  ])
}
