// Tests the index of each governance fact of a height, for any number of events in a block.
import { describe, expect, it } from 'vitest'
import type { AbciEvent } from '../../../../ingest/comet/blocks/block.ts'
import { ORDINAL } from '../../../../ingest/contract/envelope.ts'
import type { BlockFact } from '../../../../ingest/contract/governance/fact.ts'
import { type EventFacts, numberFacts } from '../../../../ingest/derive/derive.ts'

const submitted = (proposalId: number): BlockFact => ({
  kind: 'submitted',
  proposalId: `${proposalId}`,
  proposer: null,
  proposerReason: null,
})
const eventAt = (ordinal: number): AbciEvent => ({
  ordinal,
  type: 'submit_proposal',
  attributes: [],
  phase: 'tx',
  txIndex: 3,
})
const factsAt = (ordinal: number, bodies = 1): EventFacts => ({
  event: eventAt(ordinal),
  bodies: Array.from({ length: bodies }, (_, sub) => submitted(ordinal + sub)),
})
const toOrdinals = (found: readonly EventFacts[], last?: number) =>
  numberFacts(found, last).map(({ ordinal, sub, abciOrdinal }) => [ordinal, sub, abciOrdinal])

describe('the ordinals of the governance facts of a height', {
  tags: 'ingest:crowded-block',
}, () => {
  it('are the ranks of their ABCI events, up to the last possible ordinal', () => {
    const last = ORDINAL.lastAbciEvent
    expect(toOrdinals([factsAt(5, 2), factsAt(last)])).toEqual([
      [5, 0, 5],
      [5, 1, 5],
      [last, 0, last],
    ])
  })

  it('count governance events only, as soon as one of them has a larger rank', () => {
    const beyond = ORDINAL.lastAbciEvent + 1
    expect(toOrdinals([factsAt(7), factsAt(90, 2), factsAt(beyond)])).toEqual([
      [1, 0, 7],
      [2, 0, 90],
      [2, 1, 90],
      [3, 0, beyond],
    ])
  })
})

describe('more governance events in a height than ordinals', {
  tags: 'ingest:crowded-block',
}, () => {
  const crowd = Array.from({ length: 10 }, (_, index) => factsAt(100 + index))

  it('are kept up to the limit, and the last ordinal reports the number of omitted events', () => {
    const facts = numberFacts(crowd, 4)
    expect(facts.map(({ ordinal, abciOrdinal }) => [ordinal, abciOrdinal])).toEqual([
      [1, 100],
      [2, 101],
      [3, 102],
      [4, 103],
    ])
    expect(facts.at(-1)).toMatchObject({
      kind: 'undecodable',
      proposalId: null,
      reason: expect.stringMatching(/^7 governance events of this height are left out/),
    })
  })
})
