// What happens to a proposal and to its rounds: changes the state, and marks what has rows to write with the next commit.
import { Value } from 'typebox/value'
import type { ProposalState } from '../../ingest/contract/facts.ts'
import { listKinds } from '../../ingest/contract/gov-type.ts'
import { isImpossibleTime } from '../contract/timestamps.ts'
import type { ReadVote, RoundEnd } from './ballot.ts'
import { type EventPosition, later } from './event-position.ts'
import { findUntallied, type Reading } from './reading.ts'
import { blankProposal, type FoldState, type OpenProposal, type Unread } from './state.ts'
import { VotingRound } from './voting-round.ts'

/** The state, and the event that changes it: its position on the chain and in the log. */
export type Changing = { state: FoldState; at: EventPosition; offset: bigint }

/** Ingest reads an ended proposal without a readable state again for so long. */
const UNREAD_MS = 7 * 86_400_000

/** An open proposal, or one that ended and waits for its state. */
const find = ({ state }: Changing, proposalId: string): OpenProposal | undefined =>
  state.proposals.get(proposalId) ?? state.awaited.get(proposalId)

function markShown({ state, at }: Changing, proposal: OpenProposal): void {
  proposal.shownAt = later(proposal.shownAt, at)
  state.changed.watermarks.add(proposal)
}

/** Times of the node that are not valid dates: their columns are NULL. */
const impossibleTimes = (state: ProposalState): string[] => {
  const times = [
    ['submit time', state.submitTime],
    ['end of the deposit period', state.depositEndTime],
    ['start of the voting period', state.votingStartTime],
    ['end of the voting period', state.votingEndTime],
  ] as const
  return times
    .filter(([, time]) => isImpossibleTime(time))
    .map(([name]) => `the ${name} from the node is not a valid time`)
}

function markProposal(to: Changing, proposal: OpenProposal): void {
  proposal.at = later(proposal.at, to.at)
  for (const reason of impossibleTimes(proposal.state)) {
    if (!proposal.partialReasons.includes(reason)) proposal.partialReasons.push(reason)
  }
  to.state.changed.proposals.add(proposal)
  markShown(to, proposal)
}

function markRound(to: Changing, proposal: OpenProposal, round: VotingRound): void {
  round.advanceTo(to.at)
  to.state.changed.rounds.add(round)
  markShown({ ...to, at: round.at }, proposal)
}

function addReason(to: Changing, proposal: OpenProposal, reason: string): void {
  if (proposal.partialReasons.includes(reason)) return
  proposal.partialReasons.push(reason)
  markProposal(to, proposal)
}

/** What is known now is no part of the reasons any more. */
function removeReasons(
  { partialReasons }: OpenProposal,
  removed: readonly (string | null)[],
): void {
  for (const reason of removed) {
    const at = reason === null ? -1 : partialReasons.indexOf(reason)
    if (at >= 0) partialReasons.splice(at, 1)
  }
}

function fillIn(proposal: OpenProposal, isKnown: (unread: Unread) => boolean): void {
  const known = proposal.unread.filter(isKnown)
  removeReasons(
    proposal,
    known.map(({ reason }) => reason),
  )
  proposal.unread = proposal.unread.filter((each) => !isKnown(each))
}

export function introduce(to: Changing, introduced: ProposalState): void {
  const { state, at, offset } = to
  const { proposalId } = introduced
  if (state.proposals.has(proposalId)) return
  const proposal: OpenProposal = {
    proposalId,
    state: introduced,
    messages: '[]',
    observed: [],
    round: 0,
    roundReason: null,
    submitted: undefined,
    depositParams: undefined,
    closed: undefined,
    reconstructed: null,
    partialReasons: [],
    unread: [],
    untallied: undefined,
    vote: undefined,
    at,
    shownAt: at,
    firstOffset: offset,
  }
  state.proposals.set(proposalId, proposal)
  markProposal(to, proposal)
}

/** An event names a proposal that has no earlier event. */
export function introduceFound(to: Changing, proposalId: string, status: string): void {
  introduce(to, blankProposal(proposalId, status))
  addPartial(to, proposalId, `first named at height ${to.at.height}: its submission was not read`)
}

/** `lacks`: what a later reading of the proposal has. */
export function addPartial(
  to: Changing,
  proposalId: string,
  reason: string,
  lacks?: Unread['lacks'],
): void {
  const proposal = find(to, proposalId)
  if (!proposal) return
  if (lacks) proposal.unread = [...proposal.unread, { lacks, reason }]
  addReason(to, proposal, reason)
}

/** The state of the proposal was read again. */
export function readProposal(to: Changing, read: ProposalState): void {
  const proposal = find(to, read.proposalId)
  if (!proposal) return
  // Before SDK 0.47 the state does not name the proposer, only the submission does.
  proposal.state = { ...read, proposer: read.proposer ?? proposal.state.proposer }
  const { vote } = proposal
  if (vote && !vote.end) {
    const given = {
      isExpedited: read.expedited,
      kinds: listKinds(read),
      scheduledEnd: read.votingEndTime,
    }
    const { isExpedited, kinds, scheduledEnd } = vote
    const isSame = Value.Equal({ isExpedited, kinds, scheduledEnd }, given)
    Object.assign(vote, given)
    if (!isSame) markRound(to, proposal, vote)
  }
  fillIn(proposal, ({ lacks }) => lacks === 'state')
  markProposal(to, proposal)
}

/** The state in an event; if the node could not return it, the reason. */
export function readState(
  to: Changing,
  data: { proposalId: string; proposal: ProposalState | null; proposalReason: string | null },
  lacks: Unread['lacks'] = 'state',
): void {
  const { proposalId, proposal, proposalReason } = data
  if (proposal) readProposal(to, proposal)
  else addPartial(to, proposalId, proposalReason ?? 'the node did not return the proposal', lacks)
}

/** `own`: members that are not in the chain's own state. */
export function changeProposal(
  to: Changing,
  proposalId: string,
  { own = {}, read = {} }: { own?: Partial<OpenProposal>; read?: Partial<ProposalState> },
): void {
  const proposal = find(to, proposalId)
  if (!proposal) return
  Object.assign(proposal, own)
  proposal.state = { ...proposal.state, ...read }
  markProposal(to, proposal)
}

/** A reading of the proposal with all that earlier events lack. */
export function completeProposal(to: Changing, read: ProposalState): void {
  const proposal = find(to, read.proposalId)
  if (!proposal) return
  fillIn(proposal, () => true)
  const { untallied: vote } = proposal
  if (!vote?.end || !read.finalTally) return
  removeReasons(proposal, [vote.end.unavailableReason])
  vote.end = { ...vote.end, chain: read.finalTally, unavailableReason: null }
  proposal.untallied = undefined
  markRound(to, proposal, vote)
}

/** `isDeleted`: no later state of the chain has it. */
export function closeProposal(to: Changing, proposalId: string, isDeleted: boolean): void {
  const proposal = find(to, proposalId)
  if (!proposal) return
  to.state.closing.add(proposal)
  if (isDeleted) proposal.unread = []
  markProposal(to, proposal)
}

/** `isWhole` is false if its beginning was not indexed. */
export function beginRound(
  to: Changing,
  proposalId: string,
  { round, isWhole }: { round: number; isWhole: boolean },
): void {
  const proposal = find(to, proposalId)
  if (!proposal) return
  const { state: read, vote: before } = proposal
  const of = { proposalId, round, isExpedited: read.expedited, kinds: listKinds(read) }
  const vote = new VotingRound(of, to.at, before)
  vote.scheduledEnd = read.votingEndTime
  Object.assign(proposal, { vote, round })
  markProposal(to, proposal)
  if (!isWhole) {
    vote.castUnknown(to.at)
    addReason(to, proposal, `the beginning of voting round ${round} was not read`)
  }
  markRound(to, proposal, vote)
}

export function castVote(to: Changing, proposalId: string, vote: ReadVote): void {
  const proposal = find(to, proposalId)
  if (!proposal?.vote) return
  proposal.vote.cast(vote, to.at)
  markRound(to, proposal, proposal.vote)
}

/** A vote that counts, with an unknown voter or option. */
export function castUnknown(to: Changing, proposalId: string): void {
  const proposal = find(to, proposalId)
  if (!proposal?.vote) return
  proposal.vote.castUnknown(to.at)
  markRound(to, proposal, proposal.vote)
}

/** An expedited vote failed: the proposal gets another vote. */
export function fallBack(to: Changing, proposalId: string): void {
  const proposal = find(to, proposalId)
  // Only a first vote can be an expedited vote that failed.
  if (proposal) proposal.roundReason = null
  if (proposal?.vote) proposal.vote.isExpedited = true
}

export function endRound(to: Changing, proposalId: string, end: RoundEnd): void {
  const proposal = find(to, proposalId)
  const vote = proposal?.vote
  if (!vote) return
  vote.end = end
  if (end.chain === null) proposal.untallied = vote
  to.state.endedRounds.set(vote, proposal)
  markRound(to, proposal, vote)
}

/** The state of a round was applied: how it differs from the events. */
function noteDifference(
  to: Changing,
  [proposal, round]: readonly [OpenProposal, VotingRound],
  before: string | null,
): void {
  markRound(to, proposal, round)
  const { difference } = round
  if (difference === null || difference === before) return
  removeReasons(proposal, [before])
  addReason(to, proposal, difference)
}

/** The proposal with the open round of a reading. */
function findOpenRound(
  to: Changing,
  { proposalId, round }: Reading,
): readonly [OpenProposal, VotingRound] | undefined {
  const proposal = find(to, proposalId)
  const vote = proposal?.vote
  return !vote || vote.end || vote.round !== round ? undefined : [proposal, vote]
}

export function readRound(to: Changing, reading: Reading): void {
  const found = findOpenRound(to, reading)
  if (!found) return
  const [, vote] = found
  const before = vote.difference
  vote.read(reading, to.at)
  noteDifference(to, found, before)
}

/** Applies of a reading only when its ballots were cast. */
export function dateBallots(to: Changing, reading: Reading): void {
  const [proposal, vote] = findOpenRound(to, reading) ?? []
  if (vote?.date(reading.ballots, to.at)) markRound(to, proposal as OpenProposal, vote)
}

/**
 * The final reading of a round that ended at this height: it overrides all other data of the height. Yields where other work may run.
 */
export function* readEndedRound(to: Changing, reading: Reading): Generator<undefined, void> {
  for (const [round, proposal] of to.state.endedRounds) {
    const isIt = round.proposalId === reading.proposalId && round.round === reading.round
    const { end, difference: before } = round
    if (!isIt || !end) continue
    const { vote: next } = proposal
    const { params = null, bondedTokens = null } = reading.head
    round.finalBase = { params, bondedTokens }
    const problem = findUntallied(reading)
    if (problem !== null) {
      if (params === null || bondedTokens === null) addReason(to, proposal, problem)
      if (next !== round) next?.registry.readBase(reading)
      round.end = { ...end, notRecomputed: problem }
      markRound(to, proposal, round)
      continue
    }
    yield* round.close(reading, to.at)
    noteDifference(to, [proposal, round], before)
    if (!next || next === round) continue
    next.readPools({ ...reading, hasAllPools: true }, to.at)
    markRound(to, proposal, next)
  }
}

/** The parameters for the minimum deposit, read during a deposit period. */
export function readDepositParams(to: Changing, { head: { params } }: Reading): void {
  if (!params) return
  for (const proposal of to.state.proposals.values()) {
    if (proposal.vote || proposal.state.status !== 'deposit_period') continue
    if (Value.Equal(proposal.depositParams, params)) continue
    proposal.depositParams = params
    markProposal(to, proposal)
  }
}

/** After each height: a state that did not come in time will not come. */
export function giveUpUnread(to: Changing): void {
  const { state, at } = to
  for (const [proposalId, proposal] of state.awaited) {
    const endedMs = Date.parse(proposal.closed?.time ?? at.time)
    const isOver = Date.parse(at.time) - endedMs > UNREAD_MS
    if (proposal.unread.length > 0 && !isOver) continue
    proposal.unread = []
    state.awaited.delete(proposalId)
    markShown(to, proposal)
  }
}
