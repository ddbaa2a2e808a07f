// Derives the governance facts of a block, in order. Pure: reads no state and no clock, and never fails on unusual events.
import type { AbciEvent, Block } from '../comet/blocks/block.ts'
import { ORDINAL } from '../contract/envelope.ts'
import type { BlockFact } from '../contract/governance/fact.ts'
import { createActors } from './actors.ts'
import { isGovEvent, readGovEvent } from './gov-events.ts'
import { accountsWithMovedStake, SLASHING } from './moved-stake.ts'
import type { RawFact } from './raw-fact.ts'

export type Derived = {
  facts: readonly RawFact[]
  /** Accounts whose delegations may have changed: a superset. */
  movedStake: ReadonlySet<string>
  isSlashed: boolean
}

/** One governance event of a block with its facts, at least one. */
export type EventFacts = { event: AbciEvent; bodies: readonly BlockFact[] }

/** The facts of each governance event; events of failed transactions have no facts. */
const eventFacts = (block: Block): EventFacts[] => {
  const own: number[] = []
  for (const [position, { txIndex }] of block.events.entries()) {
    if (txIndex !== null && block.txs[txIndex]?.code !== 0) continue
    if (isGovEvent(block.events, position)) own.push(position)
  }
  const actors = createActors(block, own)
  const found = own.map((position): EventFacts => {
    const event = block.events[position]!
    return { event, bodies: readGovEvent(event, { position, actors }) }
  })
  return found.filter(({ bodies }) => bodies.length > 0)
}

const ranked = ({ event, bodies }: EventFacts, ordinal: number): RawFact[] =>
  bodies.map((body, sub): RawFact => {
    const origin = { ordinal, sub, abciOrdinal: event.ordinal, txIndex: event.txIndex }
    return { ...origin, ...body }
  })

/** Takes the last index of the height, so that the log reports the events that it lacks. */
const leftOut = (events: readonly EventFacts[], ordinal: number): RawFact => ({
  ordinal,
  sub: 0,
  abciOrdinal: events[0]!.event.ordinal,
  txIndex: null,
  kind: 'undecodable',
  abciType: '',
  attributes: [],
  proposalId: null,
  reason: `${events.length} governance events of this height are left out: its index is full`,
})

/**
 * Assigns each fact its index, by the rule in `contract/envelope.ts`. `last` is the highest available ordinal. If the governance
 * events alone exceed it, the first ones are kept and the last index reports how many are left out.
 */
export function numberFacts(
  found: readonly EventFacts[],
  last: number = ORDINAL.lastAbciEvent,
): RawFact[] {
  const highest = found.at(-1)?.event.ordinal ?? 0
  if (highest <= last) return found.flatMap((each) => ranked(each, each.event.ordinal))
  const first = ORDINAL.firstAbciEvent
  const capacity = last - first + 1
  const kept = found.length <= capacity ? found : found.slice(0, capacity - 1)
  const facts = kept.flatMap((each, order) => ranked(each, first + order))
  if (kept.length < found.length) facts.push(leftOut(found.slice(kept.length), last))
  return facts
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

/** Only the governance facts of a block, in order. */
export function deriveFacts(block: Block): RawFact[] {
  const found = eventFacts(block)
  return markUncounted(numberFacts(found), found)
}

export function derive(block: Block): Derived {
  return {
    facts: deriveFacts(block),
    movedStake: accountsWithMovedStake(block.events),
    isSlashed: block.events.some(({ type }) => type === SLASHING),
  }
}

/**
 * The facts of a block as one text, to compare the reports of two endpoints; empty without facts. Contains only facts with the
 * hash of their transaction, because endpoints of different versions may number or write other events differently.
 */
export function governanceFingerprint(block: Block): string {
  const facts = deriveFacts(block)
  if (facts.length === 0) return ''
  return JSON.stringify(
    facts.map(({ ordinal: _, abciOrdinal: __, txIndex, ...fact }) => ({
      ...fact,
      txHash: txIndex === null ? null : block.txs[txIndex]?.hash,
    })),
  )
}
