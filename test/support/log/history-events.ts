// Builders of events about votes that ended before the first indexed height.
import { ORDINAL } from '../../../ingest/contract/envelope.ts'
import type { EventOf } from '../../../ingest/contract/events.ts'
import type { PoolState } from '../../../ingest/contract/facts.ts'
import type { CastAt, ReadBallot } from '../../../ingest/contract/round-events.ts'
import { type TallyBallot, tally } from '../../../ingest/tally/tally.ts'
import { toTallyPools } from '../fold/tally-cases.ts'
import { type EventBuilder, finalReading, TX_HASH, votingState } from './governance-events.ts'
import { all, createEvent, toBlockTime } from './governance-values.ts'

type Reconstructed = EventOf<'rollcall.vote.reconstructed.v1'>['data']
type RoundRead = EventOf<'rollcall.round.read.v1'>['data']

/** One round of a past vote. Without `evidence`, its final reading is missing. */
export type PastRound = Partial<Reconstructed> & { evidence?: Partial<RoundRead> }

/** The height of the first indexed block in these tests is 100. */
const CLOSED_HEIGHT = 60

/** The place of a vote in a block before the first indexed height. */
export const castAt = (height: number): CastAt => ({
  height,
  time: toBlockTime(height),
  txHash: TX_HASH,
})

const place = (sub: number, proposalId: string) => ({
  ordinal: ORDINAL.history,
  sub,
  subject: `proposals/${proposalId}`,
})

/** When ballots of an open vote were cast. */
export const votesFound =
  (proposalId: string, ballots: ReadBallot[], sub = 0): EventBuilder =>
  (height) =>
    createEvent(
      'rollcall.round.read.v1',
      { height, ...place(sub, proposalId) },
      {
        proposalId,
        round: 1,
        chunk: 0,
        chunks: 1,
        stateHeight: height,
        final: false,
        allBallots: false,
        allPools: false,
        complete: true,
        incompleteReason: null,
        pools: [],
        ballots,
      },
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
  for (const { evidence: inputs, ...changes } of rounds) {
    const { round = 1 } = changes
    events.push(voteReconstructed(proposalId, changes, next()))
    if (!inputs) continue
    const sub = next()
    const build = finalReading(proposalId, { round, ...inputs }, sub)
    events.push((height) => build(height, ORDINAL.history))
  }
  return events
}

type Random = (below: number) => number

/**
 * Random parts of a history: of a proposal that had ended, of one that the log knows, and of an open one. The final reading of a
 * proposal is the same each time, as on a chain.
 */
export const createHistory = (
  random: Random,
  of: { ended: string; closed: string; open: string },
  { pools, voters }: { pools: PoolState[]; voters: readonly string[] },
): (() => EventBuilder[]) => {
  const ballots = voters
    .filter(() => random(4) > 0)
    .map((voter): TallyBallot => {
      const { operatorAddress = '' } = pools[random(pools.length)] ?? {}
      const delegations = [{ operatorAddress, shares: `${1 + random(900)}` }]
      return { voter, options: all(random(2) === 0 ? 'yes' : 'no'), delegations }
    })
  const finalTally = tally(toTallyPools(pools), ballots).counts
  return () => {
    const found = ballots.map(({ voter, options, delegations }, at): ReadBallot => {
      const cast = random(3) > 0 ? { cast: castAt(20 + at) } : {}
      return { voter, options: [...options], delegations: [...delegations], ...cast }
    })
    const complete = random(6) > 0
    const incompleteReason = complete ? null : 'pruned'
    const evidence = { pools, ballots: found, complete, incompleteReason }
    const proposalId = random(5) === 0 ? of.closed : of.ended
    const past = reconstructed(proposalId, [{ finalTally, votes: 'some' as const, evidence }])
    const dated = random(2) === 0 ? [votesFound(of.open, found, past.length)] : []
    return [...past, ...dated]
  }
}
