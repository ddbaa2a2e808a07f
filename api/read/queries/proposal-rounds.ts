// Reads the rounds of votes. Clients often request the votes of several proposals in sequence,
// so the rounds of twenty proposals are read at once.
import { ApiProblem } from '../../problem.ts'
import { createInnerQuery, createQueryKey, proposalVersion, type Query } from '../query.ts'
import { notFound, requireKnownProposal } from './known-proposal.ts'
import { readVoteRounds, type VoteRounds } from './vote-rounds.ts'

const READ_TOGETHER = 20n

/** The requested round, by default the current one. Throws `round-not-found`. */
export const resolveRound = (
  { current }: VoteRounds,
  { proposalId, round }: { proposalId: string; round?: number | undefined },
): number => {
  if (round === undefined) return current
  if (round <= current) return round
  const latest = current === 0 ? 'no vote has started' : `the latest is round ${current}`
  throw new ApiProblem(
    'round-not-found',
    `Proposal ${proposalId} has no round ${round}: ${latest}.`,
  )
}

/** The ids that one query reads together. */
const findBatchIds = (proposalId: string): string[] => {
  const id = BigInt(proposalId)
  const first = id - (id % READ_TOGETHER)
  return Array.from({ length: Number(READ_TOGETHER) }, (_, index) => `${first + BigInt(index)}`)
}

const keyParts = (proposalId: string) => ({
  name: `rounds of ${proposalId}`,
  version: proposalVersion(proposalId),
})

/** Its `read` throws `proposal-not-found`. */
export const createVoteRoundsQuery = (proposalId: string): Query<VoteRounds> =>
  createInnerQuery({
    ...keyParts(proposalId),
    proposalId,
    read: async ({ store, snapshot, cached }) => {
      requireKnownProposal(snapshot, proposalId)
      const toKey = (id: string) => createQueryKey(keyParts(id), snapshot)
      const ids = findBatchIds(proposalId).filter(
        (id) => snapshot.watermarks.has(id) && cached(toKey(id)) === undefined,
      )
      const read = await readVoteRounds({ store, snapshot }, ids)
      const value = read.get(proposalId)
      if (!value) throw notFound(proposalId)
      const consistent = [...read].filter(([, rounds]) => rounds.consistency === 'consistent')
      return {
        value,
        consistency: value.consistency,
        ahead: new Map(consistent.map(([id, rounds]) => [toKey(id), rounds])),
      }
    },
  })
