// A block → the governance facts in it, in order. Pure: reads no state, no clock, and never fails on odd events.
import type { Block } from './comet/block.ts'
import { readGovEvent } from './derive/gov-event.ts'
import type { RawFact } from './derive/raw-fact.ts'
import { accountsWithMovedStake } from './derive/stake-hints.ts'

/** Grows with every change of what a block's events turn into. */
export const PARSER_VERSION = 1

export type Derived = {
  facts: readonly RawFact[]
  /** Accounts whose delegations may have changed: a superset. */
  movedStake: ReadonlySet<string>
}

const factsOf = (block: Block): RawFact[] =>
  block.events.flatMap((event, position) => {
    const { ordinal, txIndex } = event
    if (txIndex !== null && block.txs[txIndex]?.code !== 0) return []
    return readGovEvent(block, position).map((body, sub) => ({ ordinal, sub, txIndex, ...body }))
  })

/**
 * Per proposal an end block runs tally → refunds → the proposal's own messages → `active_proposal`.
 * So a vote that a proposal's messages cast on that very proposal stands right before its close,
 * with no other close in between, and comes after the tally: it never counts.
 */
const markUncounted = (facts: readonly RawFact[], endOrdinals: ReadonlySet<number>): RawFact[] => {
  let closing: string | undefined
  const marked = facts.toReversed().map((fact) => {
    if (!endOrdinals.has(fact.ordinal)) return fact
    if (fact.kind === 'vote_cast') {
      return fact.proposalId === closing ? { ...fact, counted: false } : fact
    }
    if (fact.kind === 'closed' || fact.kind === 'restarted') closing = fact.proposalId
    if (fact.kind === 'dropped' || fact.kind === 'unread') closing = undefined
    return fact
  })
  return marked.reverse()
}

export const derive = (block: Block): Derived => {
  const facts = factsOf(block)
  const end = block.events.filter(({ phase }) => phase === 'end').map(({ ordinal }) => ordinal)
  return {
    facts: facts.length === 0 ? facts : markUncounted(facts, new Set(end)),
    movedStake: accountsWithMovedStake(block),
  }
}
