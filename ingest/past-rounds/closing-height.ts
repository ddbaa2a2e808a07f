// Finds the heights that ended the rounds of a closed proposal: by the times in its state, verified by its states before and after.
import { type Answer, isKnown, known, unavailable } from '../chain/answer.ts'
import type { ProposalContent } from '../chain/proposal-content.ts'
import type { StateAt } from '../chain/state-at.ts'
import type { Block } from '../comet/blocks/block.ts'
import type { ChainReader } from '../comet/endpoints/node.ts'
import type { ProposalState } from '../contract/facts.ts'
import { isOpen } from '../contract/governance/fact.ts'
import { searchClosingHeight } from '../proposals/closing-search.ts'
import { roundInState } from '../proposals/vote-round.ts'
import { type BlockTime, findHeightSince, type HeightSince } from './height-since.ts'

export type ClosedChain = {
  node: ChainReader
  /** The block of a height, from another endpoint if this one has discarded it. */
  blockAt(height: number): Promise<Answer<Block>>
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
  /** When the round should end by its state. */
  endTime: string
  startTime: string
  hasEnded(proposal: ProposalState | undefined): boolean
}

const isVoteOver: Wanted['hasEnded'] = (proposal) => proposal === undefined || !isOpen(proposal)
/** An expedited vote that failed is open, and not expedited any more. */
const isFirstOver: Wanted['hasEnded'] = (proposal) => isVoteOver(proposal) || !proposal?.expedited

const explainStart = ({ height, time, previousHash }: NonNullable<HeightSince['first']>) => {
  const block = `height ${height} of ${time}`
  return previousHash === ''
    ? `the first block of this chain, ${block}, is later: the vote was on an earlier chain`
    : `the first block of the endpoint, ${block}, is later`
}

/** Undefined if the states do not show the end at this height. */
const readEnd = async (
  { stateAt }: ClosedChain,
  { proposalId, hasEnded }: Wanted,
  height: number,
): Promise<Answer<Omit<RoundEnd, 'round'>> | 'earlier' | 'later'> => {
  const [after, before] = await Promise.all([
    stateAt(height).proposal(proposalId),
    stateAt(height - 1).proposal(proposalId),
  ])
  if (!isKnown(after)) return unavailable(after.unavailable)
  if (!isKnown(before)) return unavailable(before.unavailable)
  if (!hasEnded(after.value.proposal)) return 'later'
  if (hasEnded(before.value.proposal)) return 'earlier'
  return known({ height, before: before.value, after: after.value })
}

/** By the state alone: a module may prolong a vote, or end it early. */
const searchEnd = async (
  chain: ClosedChain,
  wanted: Wanted,
  range: { from: number; to: number },
): Promise<Answer<Omit<RoundEnd, 'round'>>> => {
  const { proposalId, hasEnded } = wanted
  const found = await searchClosingHeight(chain.node, { ...range, proposalId, hasEnded })
  if (!isKnown(found)) return unavailable(found.unavailable)
  const end = await readEnd(chain, wanted, found.value)
  if (end !== 'earlier' && end !== 'later') return end
  return unavailable(`no height was found at which the vote on proposal ${proposalId} ended`)
}

const findStart = async ({ node, tip }: ClosedChain, time: string): Promise<Answer<number>> => {
  const since = await findHeightSince(node, { time, tip })
  if (!isKnown(since)) return since
  return since.value ? known(since.value.height) : unavailable(`no block is as late as ${time}`)
}

const findEnd = async (
  chain: ClosedChain,
  wanted: Wanted,
): Promise<Answer<Omit<RoundEnd, 'round'>>> => {
  const { node, tip } = chain
  const since = await findHeightSince(node, { time: wanted.endTime, tip })
  if (!isKnown(since)) return since
  if (since.value?.first) {
    return unavailable(`the vote ended at ${wanted.endTime}: ${explainStart(since.value.first)}`)
  }
  const end = since.value ? await readEnd(chain, wanted, since.value.height) : 'earlier'
  if (end === 'later') {
    return searchEnd(chain, wanted, { from: since.value?.height ?? 0, to: tip.height })
  }
  if (end !== 'earlier') return end
  const start = await findStart(chain, wanted.startTime)
  if (!isKnown(start)) return start
  const to = (since.value?.height ?? tip.height + 1) - 1
  return searchEnd(chain, wanted, { from: start.value, to })
}

/** The proposal as its vote began, if a failed expedited vote may have come before the last round. */
const readFirstRound = async (
  { stateAt, ...chain }: ClosedChain,
  { proposalId, startTime }: Pick<Wanted, 'proposalId' | 'startTime'>,
): Promise<Answer<ProposalState>> => {
  const start = await findStart({ stateAt, ...chain }, startTime)
  if (!isKnown(start)) return start
  const read = await stateAt(start.value).proposal(proposalId)
  if (!isKnown(read)) {
    return unavailable(`whether an expedited vote came before: ${read.unavailable}`)
  }
  return known(read.value.proposal)
}

/** Undefined if the last round was the first one. */
const findFirstEnd = async (
  chain: ClosedChain,
  { proposalId, startTime, endTime: time }: Omit<Wanted, 'hasEnded'>,
  last: Omit<RoundEnd, 'round'>,
): Promise<Answer<Omit<RoundEnd, 'round'>> | undefined> => {
  const params = await chain.stateAt(last.height - 1).params()
  if (!isKnown(params)) return params
  const context = { params: params.value, time }
  const { round, roundReason } = roundInState(last.before, context)
  if (round === 1 && roundReason === undefined) return undefined
  const first = await readFirstRound(chain, { proposalId, startTime })
  if (!isKnown(first)) return first
  if (!first.value.expedited) return undefined
  const endTime = first.value.votingEndTime
  if (endTime === null) return unavailable('the state has no end of the expedited vote')
  return findEnd(chain, { proposalId, endTime, startTime, hasEnded: isFirstOver })
}

/** Every round in order. `target`: the closed proposal. */
export const findRoundEnds = async (
  chain: ClosedChain,
  { proposalId, votingStartTime, votingEndTime }: ProposalState,
): Promise<Answer<RoundEnd[]>> => {
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
