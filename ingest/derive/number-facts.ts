// Which place in the height's index each governance fact takes. `contract/envelope.ts` states the rule.
import type { AbciEvent } from '../comet/block.ts'
import { ORDINAL } from '../contract/envelope.ts'
import type { FactBody, Origin, RawFact } from './raw-fact.ts'

/** One governance event of a block and what it says: one fact or more. */
export type EventFacts = { event: AbciEvent; bodies: readonly FactBody[] }

const ranked = ({ event, bodies }: EventFacts, ordinal: number): RawFact[] =>
  bodies.map((body, sub): RawFact => {
    const origin: Origin = { ordinal, sub, abciOrdinal: event.ordinal, txIndex: event.txIndex }
    return { ...origin, ...body }
  })

/** Takes the last place of the height, so that the log says what it does not have. */
const leftOut = (events: readonly EventFacts[], ordinal: number): RawFact => ({
  ordinal,
  sub: 0,
  abciOrdinal: events[0]!.event.ordinal,
  txIndex: null,
  kind: 'unread',
  abciType: '',
  attributes: [],
  proposalId: null,
  reason: `${events.length} governance events of this height are left out: its index has no more room`,
})

/**
 * In the order of the block. `last` is the highest ordinal there is room for. Where even the
 * governance events alone are more than that, the first ones are kept and the last place says how
 * many were left out.
 */
export const numberFacts = (
  found: readonly EventFacts[],
  last: number = ORDINAL.lastAbciEvent,
): RawFact[] => {
  const highest = found.at(-1)?.event.ordinal ?? 0
  if (highest <= last) return found.flatMap((each) => ranked(each, each.event.ordinal))
  const first = ORDINAL.firstAbciEvent
  const capacity = last - first + 1
  const kept = found.length <= capacity ? found : found.slice(0, capacity - 1)
  const facts = kept.flatMap((each, order) => ranked(each, first + order))
  if (kept.length < found.length) facts.push(leftOut(found.slice(kept.length), last))
  return facts
}
