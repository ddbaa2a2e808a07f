// Proofs that are due. The next block's header confirms the state of a height; the block after that has its commit.
import type { EventOf, GovernanceEvent, GovernanceEventType } from '../contract/events.ts'
import type { Finding, RawFact } from '../derive/raw-fact.ts'

/** `round`: the round that ended; 0 at the submission. */
export type PendingProof = { proposalId: string; round: number }

/** Due at one height: the light block of the height before, and proofs of the state one height earlier. */
export type DueProofs = { stateHeight: number; proofs: readonly PendingProof[] }

export type PendingProofs = {
  /** Facts of one block, in order, each exactly once. `round` is the round of the fact. */
  applyFact(fact: RawFact, round: number, height: number): void
  applyEvent(event: GovernanceEvent): void
  /** Call in order of heights, before the facts of the height. Undefined if nothing is due. */
  takeDue(height: number): DueProofs | undefined
}

/** Each such height has a light block, so that a client can verify from any header that it trusts. */
const LIGHT_BLOCK_EVERY = 100_000

/** The events of the facts after which a proof is due, or no longer possible. */
const FACTS = {
  'rollcall.proposal.submitted.v1': 'submitted',
  'rollcall.proposal.closed.v1': 'closed',
  'rollcall.voting.restarted.v1': 'restarted',
  'rollcall.proposal.canceled.v1': 'canceled',
  'rollcall.proposal.dropped.v1': 'dropped',
} as const satisfies Partial<Record<GovernanceEventType, RawFact['kind']>>

/** A finding has the effect of the fact that it stands for. */
const FINDINGS: Partial<Record<Finding, RawFact['kind']>> = {
  closed: 'closed',
  restarted: 'restarted',
  deleted: 'canceled',
}

type CauseEvent = EventOf<keyof typeof FACTS>

const isCause = (event: GovernanceEvent): event is CauseEvent => Object.hasOwn(FACTS, event.type)

/** `isStored`: the chain has the proposal after the height, so that a proof is useful. */
type Change = PendingProof & { isStored: boolean }

const toChange = (
  kind: RawFact['kind'] | undefined,
  { proposalId, round }: PendingProof,
): Change | undefined => {
  switch (kind) {
    case 'submitted':
      return { proposalId, round: 0, isStored: true }
    case 'closed':
    case 'restarted':
      // Without a vote there is no tally.
      return round > 0 ? { proposalId, round, isStored: true } : undefined
    case 'canceled':
    case 'dropped':
      return { proposalId, round, isStored: false }
    default:
      return undefined
  }
}

export const createPendingProofs = (): PendingProofs => {
  /** By the height of the state. */
  const pending = new Map<number, PendingProof[]>()
  let firstHeight: number | undefined

  const apply = (kind: RawFact['kind'] | undefined, about: PendingProof, height: number): void => {
    const change = toChange(kind, about)
    if (!change) return
    const { isStored, ...proof } = change
    const before = pending.get(height) ?? []
    // The chain deleted it before a proof was possible.
    const kept = before.filter(({ proposalId }) => isStored || proposalId !== proof.proposalId)
    pending.set(height, isStored ? [...kept, proof] : kept)
  }
  return {
    applyFact: (fact, round, height) => {
      const { proposalId } = fact
      const kind = fact.kind === 'reconciled' ? FINDINGS[fact.finding] : fact.kind
      if (proposalId !== null) apply(kind, { proposalId, round }, height)
    },
    applyEvent: (event) => {
      if (event.type === 'rollcall.chain.snapshot.v1') firstHeight = event.height
      if (event.type === 'rollcall.proposal.reconciled.v1') {
        apply(FINDINGS[event.data.finding], event.data, event.height)
      }
      if (!isCause(event)) return
      const { proposalId } = event.data
      const round = 'round' in event.data ? event.data.round : 0
      apply(FACTS[event.type], { proposalId, round }, event.height)
    },
    takeDue: (height) => {
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
