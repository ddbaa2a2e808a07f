// Builders of events about votes that ended before the first indexed height.
import { ORDINAL } from '../../../ingest/contract/envelope.ts'
import type { PoolState, TallyCounts } from '../../../ingest/contract/facts.ts'
import type { CastAt, ReadBallot } from '../../../ingest/contract/round-events.ts'
import { type TallyBallot, tally } from '../../../ingest/tally/tally.ts'
import { toTallyPools } from '../fold/tally-cases.ts'
import { type EventBuilder, finalReading, TX_HASH, votingState } from './governance-events.ts'
import { all, createEvent, toBlockTime } from './governance-values.ts'

/** The height of the first indexed block in these tests is 100. */
const CLOSED_HEIGHT = 60

/** The place of a vote in a block before the first indexed height. */
const castAt = (height: number): CastAt => ({
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
const votesFound =
  (proposalId: string, ballots: ReadBallot[], sub: number): EventBuilder =>
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

/** A vote of one round that had ended at the snapshot. */
const voteReconstructed =
  (proposalId: string, finalTally: TallyCounts): EventBuilder =>
  (height) =>
    createEvent(
      'rollcall.vote.reconstructed.v1',
      { height, ...place(0, proposalId) },
      {
        proposalId,
        proposal: votingState(proposalId, { status: 'passed', finalTally }),
        messages: [],
        round: 1,
        isLast: true,
        finalTally,
        unavailableReason: null,
        closedHeight: CLOSED_HEIGHT,
        closedTime: toBlockTime(CLOSED_HEIGHT),
        submitted: null,
        votes: 'some',
        votesReason: 'votes are not searched',
      },
    )

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
    const build = finalReading(proposalId, evidence, 1)
    const past: EventBuilder[] = [
      voteReconstructed(proposalId, finalTally),
      (height) => build(height, ORDINAL.history),
    ]
    return random(2) === 0 ? [...past, votesFound(of.open, found, past.length)] : past
  }
}
