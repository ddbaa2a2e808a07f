// What ingest knows of governance: one state, folded from the facts of blocks and from readings; after a start from the log. The kernel
// decides facts. Everything is kept only while a proposal is open, or is due.
import { ORDINAL, toOrdinal } from '../contract/envelope.ts'
import type { GovernanceEvent } from '../contract/events.ts'
import { type GovernanceFact, isFactEvent, isOpen, toFacts } from '../contract/governance/fact.ts'
import { type Closed, findClosed } from '../contract/governance/lifecycle.ts'
import { createPendingProofs, type PendingProofs } from '../proofs/pending-proofs.ts'
import { createLateReads, type LateReads } from '../proposals/missing-facts.ts'
import { createOpenContexts, type OpenContexts } from '../proposals/open-contexts.ts'
import {
  type Applied,
  createOpenProposals,
  type OpenProposals,
} from '../proposals/open-proposals.ts'
import type { RoundRead } from '../rounds/reading-events.ts'

/** `open` and `proofs` are those of the planned height, the others those of the appended one. */
export type Governance = {
  open: OpenProposals
  proofs: PendingProofs
  contexts: OpenContexts
  lateReads: LateReads
}

export const createGovernance = (): Governance => ({
  open: createOpenProposals(),
  proofs: createPendingProofs(),
  contexts: createOpenContexts(),
  lateReads: createLateReads(),
})

/** Facts of one block, in order, each exactly once. */
export const planFact = (
  { open, proofs }: Pick<Governance, 'open' | 'proofs'>,
  fact: GovernanceFact,
  height: number,
): Applied => {
  const applied = open.apply(fact, height)
  proofs.follow(fact, applied, height)
  return applied
}

/** The events of a height by index, each exactly once: what is kept of them until they are appended. `closed`: what the event closed. */
export const noteEvent = (
  { contexts, lateReads }: Pick<Governance, 'contexts' | 'lateReads'>,
  event: GovernanceEvent,
  closed?: Closed | undefined,
): void => {
  switch (event.type) {
    case 'rollcall.chain.snapshot.v1':
      lateReads.observe(event.data.params, event.height)
      for (const { proposal } of event.data.proposals) {
        if (isOpen(proposal)) lateReads.list(proposal.proposalId, event.height)
      }
      break
    case 'rollcall.round.read.v1':
      if (!event.data.final) lateReads.observe(event.data.params ?? null, event.height)
      break
    case 'rollcall.proposal.context.v1':
      contexts.add(event.data)
      break
    case 'rollcall.proposal.read-late.v1':
      lateReads.apply(event, undefined)
      break
    default:
      if (!isFactEvent(event) || event.type === 'rollcall.vote.cast.v1') break
      lateReads.apply(event, closed)
      if (event.type === 'rollcall.proposal.submitted.v1') {
        lateReads.observe(event.data.params, event.height)
      }
      if (closed) contexts.release(event.data.proposalId)
  }
}

/** Not the tally of a round that ended, nor when earlier votes were cast. */
const isOfOpenRound = ({ data, index }: RoundRead): boolean =>
  !data.final && toOrdinal(index) !== ORDINAL.history

/** Applies the log in order: at a start. */
export const createRestore = (governance: Governance) => {
  let chunks: RoundRead[] = []
  return (event: GovernanceEvent): void => {
    if (event.type === 'rollcall.chain.snapshot.v1') governance.proofs.begin(event.height)
    if (event.type === 'rollcall.round.read.v1' && isOfOpenRound(event)) {
      chunks = event.data.chunk === 0 ? [event] : [...chunks, event]
      if (chunks.length === event.data.chunks) governance.open.applyReading(chunks)
    }
    let closed: Closed | undefined
    for (const fact of toFacts(event)) {
      closed = findClosed(planFact(governance, fact, event.height).changes) ?? closed
    }
    noteEvent(governance, event, closed)
  }
}
