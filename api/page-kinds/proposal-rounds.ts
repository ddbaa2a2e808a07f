// Which rounds each vote had, held until a fact of its proposal is new. Who asks for one vote mostly goes on to the
// next: a stretch of proposals is read at once, for little more than one of them costs.
import { LRUCache } from 'lru-cache'
import type { Store } from '../../infra/clickhouse/client.ts'
import { ApiProblem } from '../problem.ts'
import { readVoteRounds, type VoteRounds } from '../queries/vote-rounds.ts'
import type { Served } from '../served/served.ts'
import { notFound, refuseUnknown, versionOf } from './known-proposal.ts'

const STRETCH = 20n
const MAX_HELD = 1_000

export type RoundsReader = {
  /** From memory, else undefined. */
  find(served: Served, proposalId: string): VoteRounds | undefined
  /** Throws `proposal-not-found`. */
  get(served: Served, proposalId: string): Promise<VoteRounds>
}

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

const keyOf = (served: Served, proposalId: string): string =>
  `${proposalId}/${versionOf(served, proposalId)}`

const stretchAround = (proposalId: string): string[] => {
  const id = BigInt(proposalId)
  const first = id - (id % STRETCH)
  return Array.from({ length: Number(STRETCH) }, (_, index) => `${first + BigInt(index)}`)
}

export const createRoundsReader = (store: Store): RoundsReader => {
  const held = new LRUCache<string, VoteRounds>({ max: MAX_HELD })
  const loading = new Map<string, Promise<VoteRounds>>()

  const find = (served: Served, proposalId: string) => held.get(keyOf(served, proposalId))

  const load = async (served: Served, proposalId: string): Promise<VoteRounds> => {
    const ids = stretchAround(proposalId).filter(
      (id) => served.watermarks.has(id) && !held.has(keyOf(served, id)),
    )
    const read = await readVoteRounds({ store, served }, ids)
    for (const [id, rounds] of read) {
      if (rounds.verdict === 'settled') held.set(keyOf(served, id), rounds)
    }
    const its = read.get(proposalId)
    if (!its) throw notFound(proposalId)
    return its
  }
  const get = async (served: Served, proposalId: string): Promise<VoteRounds> => {
    refuseUnknown(served, proposalId)
    const key = keyOf(served, proposalId)
    const known = held.get(key) ?? loading.get(key)
    if (known) return await known
    const started = load(served, proposalId).finally(() => loading.delete(key))
    loading.set(key, started)
    return await started
  }
  return { find, get }
}
