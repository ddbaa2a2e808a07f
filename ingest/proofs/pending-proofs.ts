// Proofs that are due. The next block's header confirms the state of a height; the block after that has its commit.
import type { GovernanceFact } from '../contract/governance/fact.ts'
import { findClosed } from '../contract/governance/lifecycle.ts'
import type { Applied } from '../proposals/open-proposals.ts'

/** `round`: the round that ended; 0 at the submission. */
export type PendingProof = { proposalId: string; round: number }

/** Due at one height: the light block of the height before, and proofs of the state one height earlier. */
export type DueProofs = { stateHeight: number; proofs: readonly PendingProof[] }

export type PendingProofs = ReturnType<typeof createPendingProofs>

/** Each such height has a light block, so that a client can verify from any header that it trusts. */
const LIGHT_BLOCK_EVERY = 100_000

/** The round of the proof that is due after the fact; undefined if none is. */
const findRound = ({ kind }: GovernanceFact, { changes, round }: Applied): number | undefined => {
  if (kind === 'submitted') return 0
  const isEnd = changes.some(
    (change) =>
      change.kind === 'closed' || (change.kind === 'round_ended' && change.by === 'fell_back'),
  )
  // Without a vote there is no tally.
  return isEnd && round > 0 ? round : undefined
}

export function createPendingProofs() {
  /** By the height of the state. */
  const pending = new Map<number, PendingProof[]>()
  let firstHeight: number | undefined
  return {
    /** At the first height of a log. */
    begin: (height: number): void => {
      firstHeight = height
    },
    /** What a fact changed, in order. */
    follow: (fact: GovernanceFact, applied: Applied, height: number): void => {
      const { proposalId } = fact
      if (proposalId === null) return
      const before = pending.get(height) ?? []
      if (findClosed(applied.changes)?.isDeleted) {
        // The chain deleted it before a proof was possible.
        pending.set(
          height,
          before.filter((proof) => proof.proposalId !== proposalId),
        )
        return
      }
      const round = findRound(fact, applied)
      if (round !== undefined) pending.set(height, [...before, { proposalId, round }])
    },
    /** Call in order of heights, before the facts of the height. Undefined if nothing is due. */
    takeDue: (height: number): DueProofs | undefined => {
      const stateHeight = height - 2
      const proofs = pending.get(stateHeight) ?? []
      pending.delete(stateHeight)
      const blockHeight = height - 1
      const isKept = blockHeight === firstHeight || blockHeight % LIGHT_BLOCK_EVERY === 0
      const isDue = proofs.length > 0 || isKept
      return isDue && height !== firstHeight ? { stateHeight, proofs } : undefined
    },
  }
}
