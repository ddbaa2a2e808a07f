// Builders of events about votes that ended before the first indexed height.
import { ORDINAL } from '../../../ingest/contract/envelope.ts'
import type { EventOf } from '../../../ingest/contract/events.ts'
import type { WeightedOption } from '../../../ingest/contract/facts.ts'
import type { FoundVote } from '../../../ingest/contract/history-events.ts'
import { tally } from '../../../ingest/tally/tally.ts'
import { type EventBuilder, evidence, TX_HASH, votingState } from './governance-events.ts'
import { all, createEvent, params, toBlockTime } from './governance-values.ts'

type Reconstructed = EventOf<'rollcall.vote.reconstructed.v1'>['data']
type VotesFound = EventOf<'rollcall.votes.found.v1'>['data']
type Evidence = EventOf<'rollcall.tally.evidence.v1'>['data']

/** One round of a past vote. Without `found`, its votes were not searched; without `evidence`, the event is missing. */
export type PastRound = Partial<Reconstructed> & {
  found?: readonly FoundVote[]
  evidence?: Partial<Evidence>
}

/** The height of the first indexed block in these tests is 100. */
const CLOSED_HEIGHT = 60

/** A vote in a block before the first indexed height. */
export const foundVote = (
  voter: string,
  height: number,
  changes: { options?: WeightedOption[]; counted?: boolean } = {},
): FoundVote => ({
  voter,
  options: all('yes'),
  counted: true,
  height,
  time: toBlockTime(height),
  txHash: TX_HASH,
  ...changes,
})

const place = (sub: number, proposalId: string) => ({
  ordinal: ORDINAL.history,
  sub,
  subject: `proposals/${proposalId}`,
})

/** One chunk of the votes of a round. */
export const votesFound =
  (proposalId: string, changes: Partial<VotesFound> = {}, sub = 0): EventBuilder =>
  (height) =>
    createEvent(
      'rollcall.votes.found.v1',
      { height, ...place(sub, proposalId) },
      { proposalId, round: 1, chunk: 0, chunks: 1, votes: [], ...changes },
    )

const voteReconstructed =
  (proposalId: string, changes: Partial<Reconstructed>, sub: number): EventBuilder =>
  (height) => {
    const finalTally = changes.finalTally ?? { yes: '100', abstain: '0', no: '0', noWithVeto: '0' }
    const isLast = changes.isLast ?? true
    const ended = { status: isLast ? 'passed' : 'voting_period', finalTally }
    return createEvent(
      'rollcall.vote.reconstructed.v1',
      { height, ...place(sub, proposalId) },
      {
        proposalId,
        proposal: votingState(proposalId, ended),
        messages: [],
        round: 1,
        isLast,
        finalTally,
        bondedTokens: '3000',
        params: params(),
        unavailableReason: null,
        closedHeight: CLOSED_HEIGHT,
        closedTime: toBlockTime(CLOSED_HEIGHT),
        submitted: null,
        votes: 'none',
        votesReason: 'votes are not searched',
        ...changes,
      },
    )
  }

/** All events of a proposal that had ended at the snapshot, from `sub` on. */
export const reconstructed = (
  proposalId: string,
  rounds: readonly PastRound[],
  from = 0,
): EventBuilder[] => {
  const events: EventBuilder[] = []
  const next = () => from + events.length
  for (const { found, evidence: inputs, ...changes } of rounds) {
    const { round = 1 } = changes
    events.push(voteReconstructed(proposalId, changes, next()))
    if (found) events.push(votesFound(proposalId, { round, votes: [...found] }, next()))
    if (!inputs) continue
    const sub = next()
    const build = evidence(proposalId, { round, ...inputs }, sub)
    events.push((height) => build(height, ORDINAL.history))
  }
  return events
}

export const historyProgressed =
  (from: string, to: string): EventBuilder =>
  (height) =>
    createEvent(
      'rollcall.history.progressed.v1',
      { height, ordinal: ORDINAL.history, sub: 4000 },
      { done: [{ from, to, votes: false }] },
    )

type Random = (below: number) => number

/**
 * Random parts of a history: of a proposal that had ended, of one that the log knows, and of an open one. The evidence of a proposal
 * is the same each time, as on a chain.
 */
export const createHistory = (
  random: Random,
  of: { ended: string; closed: string; open: string },
  { pools, voters }: { pools: Evidence['pools']; voters: readonly string[] },
): (() => EventBuilder[]) => {
  const ballots = voters
    .filter(() => random(4) > 0)
    .map((voter) => {
      const { operatorAddress = '' } = pools[random(pools.length)]?.pool ?? {}
      const delegations = [{ operatorAddress, shares: `${1 + random(900)}` }]
      return { voter, options: all(random(2) === 0 ? 'yes' : 'no'), delegations }
    })
  const finalTally = tally(pools, ballots).counts
  return () => {
    const votes = ballots
      .filter(() => random(3) > 0)
      .map(({ voter, options }, at) => foundVote(voter, 20 + at, { options }))
    const found = random(2) === 0 ? { found: votes, votes: 'some' as const } : {}
    const evidence = { pools, ballots, complete: random(6) > 0, incompleteReason: 'pruned' }
    const proposalId = random(5) === 0 ? of.closed : of.ended
    const past = reconstructed(proposalId, [{ finalTally, ...found, evidence }])
    const dated = random(2) === 0 ? [votesFound(of.open, { votes }, past.length)] : []
    return [...past, ...dated, historyProgressed(proposalId, proposalId)]
  }
}
