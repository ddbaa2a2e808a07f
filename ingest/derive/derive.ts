// Derives the governance facts of a block, in order. Pure: reads no state and no clock, and never fails on unusual events.
import type { Block } from '../comet/blocks/block.ts'
import { readGovEvent } from './gov-event.ts'
import { type EventFacts, numberFacts } from './number-facts.ts'
import { findOwnership } from './own-event.ts'
import type { RawFact } from './raw-fact.ts'
import { accountsWithMovedStake } from './stake-hints.ts'

/** Increases with every change of the events that a block results in. */
export const PARSER_VERSION = 5

export type Derived = {
  facts: readonly RawFact[]
  /** Accounts whose delegations may have changed: a superset. */
  movedStake: ReadonlySet<string>
  /** Number of events of other modules with the type of a governance event. */
  foreignEvents: number
}

/** The facts of each governance event; events of failed transactions have no facts. */
const eventFacts = (block: Block): { found: EventFacts[]; foreignEvents: number } => {
  const found: EventFacts[] = []
  let foreignEvents = 0
  for (const [position, event] of block.events.entries()) {
    const { txIndex } = event
    if (txIndex !== null && block.txs[txIndex]?.code !== 0) continue
    const ownership = findOwnership(block.events, position)
    if (ownership === 'foreign') foreignEvents += 1
    if (ownership !== 'own') continue
    const bodies = readGovEvent(block, position)
    if (bodies.length > 0) found.push({ event, bodies })
  }
  return { found, foreignEvents }
}

/**
 * For each proposal an end block runs tally → refunds → the proposal's own messages → `active_proposal`. A
 * vote that a proposal's messages cast on the same proposal comes directly before its close and after its
 * tally: it never counts.
 */
const markUncounted = (facts: readonly RawFact[], found: readonly EventFacts[]): RawFact[] => {
  const phases = new Map(found.map(({ event }) => [event.ordinal, event.phase]))
  let closing: string | undefined
  const marked = facts.toReversed().map((fact) => {
    if (phases.get(fact.abciOrdinal) !== 'end') return fact
    if (fact.kind === 'vote_cast') {
      return fact.proposalId === closing ? { ...fact, counted: false } : fact
    }
    if (fact.kind === 'closed' || fact.kind === 'restarted') closing = fact.proposalId
    if (fact.kind === 'dropped' || fact.kind === 'undecodable') closing = undefined
    return fact
  })
  return marked.reverse()
}

export const derive = (block: Block): Derived => {
  const { found, foreignEvents } = eventFacts(block)
  const facts = markUncounted(numberFacts(found), found)
  return { facts, movedStake: accountsWithMovedStake(block), foreignEvents }
}

/** Only the governance facts of a block, in order. */
export const deriveFacts = (block: Block): RawFact[] => {
  const { found } = eventFacts(block)
  return markUncounted(numberFacts(found), found)
}
