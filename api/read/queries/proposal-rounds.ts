// Which rounds each vote had. A client that asks for one vote mostly asks for the next one, too: the rounds of twenty
// proposals are read at once, for little more than those of one cost.
import { ApiProblem } from '../../problem.ts'
import { innerQuery, keyOf, proposalVersion, type Query } from '../query.ts'
import { notFound, refuseUnknown } from './known-proposal.ts'
import { readVoteRounds, type VoteRounds } from './vote-rounds.ts'

const READ_TOGETHER = 20n

/** The current round, or the one asked for. Throws `round-not-found`. */
export const roundOf = (
  { current }: VoteRounds,
  { proposalId, round }: { proposalId: string; round?: number | undefined },
): number => {
  if (round === undefined) return current
  if (round <= current) return round
  const had = current === 0 ? 'no vote was held yet' : `the latest is round ${current}`
  throw new ApiProblem('round-not-found', `Proposal ${proposalId} has no round ${round}: ${had}.`)
}

/** The ids that are read together with this one. */
const idsAround = (proposalId: string): string[] => {
  const id = BigInt(proposalId)
  const first = id - (id % READ_TOGETHER)
  return Array.from({ length: Number(READ_TOGETHER) }, (_, index) => `${first + BigInt(index)}`)
}

const keyParts = (proposalId: string) => ({
  name: `rounds of ${proposalId}`,
  version: proposalVersion(proposalId),
})

/** Its reading throws `proposal-not-found`. */
export const voteRounds = (proposalId: string): Query<VoteRounds> =>
  innerQuery({
    ...keyParts(proposalId),
    proposalId,
    read: async ({ store, snapshot, cached }) => {
      refuseUnknown(snapshot, proposalId)
      const keyFor = (id: string) => keyOf(keyParts(id), snapshot)
      const ids = idsAround(proposalId).filter(
        (id) => snapshot.watermarks.has(id) && cached(keyFor(id)) === undefined,
      )
      const read = await readVoteRounds({ store, snapshot }, ids)
      const value = read.get(proposalId)
      if (!value) throw notFound(proposalId)
      const settled = [...read].filter(([, rounds]) => rounds.verdict === 'settled')
      return {
        value,
        verdict: value.verdict,
        ahead: new Map(settled.map(([id, rounds]) => [keyFor(id), rounds])),
      }
    },
  })
