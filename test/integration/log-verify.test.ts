// Tests of the verification of a log and of its proofs: a real log is correct, and every kind of damage is found.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LogEntry } from '../../infra/base/log/event-log.ts'
import type { EventOf, GovernanceEvent, GovernanceEventType } from '../../ingest/contract/events.ts'
import { asMarker, damageTo, eventIn } from '../support/log/damaged-log.ts'
import { type DemoLog, indexDemoChain } from '../support/log/demo-log.ts'

let demo: DemoLog
beforeAll(async () => {
  demo = await indexDemoChain(160)
})
afterAll(() => demo.remove())

const { entryAt, marker, findRecordIndex, replaced, verify, vote } = damageTo(() => demo)

describe('the verification of a log', () => {
  it('finds no damage in the log of the demo chain, and counts its content', async () => {
    const { figures, violations } = await verify(demo.records)
    expect(violations).toEqual([])
    expect(figures).toMatchObject({
      chainId: 'rollcall-demo-1',
      from: 1,
      to: 160,
      records: demo.records.length,
      unreadable: 0,
      bytes: demo.records.reduce((sum, { value }) => sum + value.length, 0),
    })
    expect(Object.values(figures.events).reduce((sum, count) => sum + count)).toBe(figures.records)
  })

  it('refuses an empty log', async () => {
    await expect(verify([])).rejects.toThrow(/the log is empty/)
  })

  /** One damaged property each: the reported kinds, and the reported position. */
  const damages: [string, () => readonly LogEntry[], string[], RegExp][] = [
    [
      'a record that is not JSON',
      () => demo.records.with(vote(), { ...demo.records[vote()]!, value: Buffer.from('{"half') }),
      ['unreadable'],
      /not JSON/,
    ],
    [
      'an event that does not match its schema',
      () =>
        replaced(vote(), (event) => {
          Object.assign(event.data, { counted: 'maybe' })
        }),
      ['unreadable'],
      /rollcall\.vote\.cast\.v1: \/data\/counted/,
    ],
    [
      'an event of an unknown type',
      () => replaced(vote(), (event) => Object.assign(event, { type: 'rollcall.vote.eaten.v1' })),
      ['unreadable'],
      /unknown event type/,
    ],
    ['a lost event', () => demo.records.toSpliced(vote(), 1), ['count'], /has \d+ events, but/],
    [
      'a lost height',
      () => {
        const { height } = entryAt(marker())
        return demo.records.filter((entry) => entry.height !== height)
      },
      ['gap'],
      /heights \d+ to \d+ are missing/,
    ],
    [
      'a duplicate event',
      () => demo.records.toSpliced(vote(), 0, demo.records[vote()]!),
      ['order', 'count'],
      /is a duplicate of offset \d+/,
    ],
    [
      'two swapped events',
      () =>
        demo.records
          .with(vote(), demo.records[vote() + 1]!)
          .with(vote() + 1, demo.records[vote()]!),
      ['order'],
      / is out of order: it is after /,
    ],
    [
      'another block hash',
      () =>
        replaced(
          marker(),
          asMarker((data) => Object.assign(data, { hash: 'A'.repeat(64) })),
        ),
      ['link'],
      /block \d+ follows .* is A{64}/,
    ],
    [
      'another previous hash',
      () =>
        replaced(
          marker(),
          asMarker((data) => Object.assign(data, { previousHash: 'B'.repeat(64) })),
        ),
      ['link'],
      /follows B{64}/,
    ],
    [
      'repeated heights',
      () =>
        replaced(
          marker(),
          asMarker((data) => Object.assign(data, { from: data.from - 3 })),
        ),
      ['gap'],
      /which end at \d+ already/,
    ],
    [
      'a marker with more heights than the log has',
      () =>
        replaced(
          marker(),
          asMarker((data) => Object.assign(data, { tip: 3 })),
        ),
      ['marker'],
      /has the tip 3/,
    ],
    [
      'the ID of another event',
      () => replaced(vote(), (event) => Object.assign(event, { id: 'rollcall-demo-1/1/1' })),
      ['identity'],
      /rollcall-demo-1\/1\/1 should be/,
    ],
    [
      'an event in a record of another height',
      () =>
        demo.records.with(vote(), { ...demo.records[vote()]!, height: entryAt(vote()).height - 1 }),
      ['identity', 'marker', 'count'],
      /has height \d+, its record \d+/,
    ],
    [
      'a record with another time',
      () => demo.records.with(vote(), { ...demo.records[vote()]!, timeMs: 5 }),
      ['identity'],
      /its record 5 ms/,
    ],
    [
      'an event with another time than its block',
      () =>
        replaced(vote(), (event) =>
          Object.assign(event, { time: event.time.replace(/\d{4}Z$/, '0000Z') }),
        ),
      ['identity'],
      /the block is of/,
    ],
    [
      'an event of another chain',
      () =>
        replaced(vote(), (event) =>
          Object.assign(event, {
            id: event.id.replace('rollcall-demo-1', 'other-1'),
            source: '/chains/other-1',
          }),
        ),
      ['other chain'],
      /is of other-1, the log of rollcall-demo-1/,
    ],
    [
      'a list without one of its chunks',
      () =>
        replaced(findRecordIndex('rollcall.round.read.v1'), (event) => {
          Object.assign(event.data, { chunks: 2 })
        }),
      ['chunks'],
      /ends after chunk 0 of 2/,
    ],
    [
      'a list that starts with its second chunk',
      () =>
        replaced(findRecordIndex('rollcall.round.read.v1'), (event) => {
          Object.assign(event.data, { chunk: 1, chunks: 2 })
        }),
      ['chunks'],
      /chunk 1 where 0 of 2 is due/,
    ],
    [
      'a missing snapshot at the start',
      () => demo.records.toSpliced(findRecordIndex('rollcall.chain.snapshot.v1'), 1),
      ['beginning', 'count'],
      /does not begin with a snapshot/,
    ],
    [
      'a missing marker at the end',
      () => demo.records.slice(0, vote() + 1),
      ['marker'],
      /have no marker at the end of the log/,
    ],
    [
      'a height without a marker',
      () => demo.records.toSpliced(findRecordIndex('rollcall.block.indexed.v1', 28), 1),
      ['marker', 'gap'],
      /have no marker before height/,
    ],
  ]

  it.each(damages)(
    'finds %s, and reports its position',
    { tags: 'infra:verify-finds-damage' },
    async (_, entries, kinds, expectedText) => {
      const { violations, violationCount } = await verify(entries())
      expect([...new Set(violations.map(({ kind }) => kind))].sort()).toEqual(kinds.toSorted())
      expect(violationCount).toBe(violations.length)
      expect(violations.map((each) => each.message).join('\n')).toMatch(expectedText)
      for (const { offset, height } of violations) {
        expect(entries().some((_entry, at) => `${at}` === offset)).toBe(true)
        expect(height).toBeGreaterThan(0)
      }
    },
  )

  it('counts all damage, also beyond the listed part', async () => {
    const garbled = demo.records.map((entry) => ({ ...entry, value: Buffer.from('?') }))
    const { violations, violationCount } = await verify(garbled)
    expect(violations).toHaveLength(1_000)
    expect(violationCount).toBeGreaterThan(garbled.length)
  })
})

/** The first event of the type, with its data changed. */
const changed = <Type extends GovernanceEventType>(
  type: Type,
  change: (data: EventOf<Type>['data']) => void,
) =>
  replaced(findRecordIndex(type), (event: GovernanceEvent) =>
    change(event.data as EventOf<Type>['data']),
  )

/** The same text with another last character. */
const turned = (text: string): string => text.slice(0, -1) + (text.endsWith('1') ? '2' : '1')

const OTHER_KEY = '000000000000000099'

describe('the verification of the proofs in a log', () => {
  it('links all proofs to signed headers, and finds the statuses and final tallies of the log in them', async () => {
    const { figures, violations } = await verify(demo.records)
    expect(violations).toEqual([])
    const count = (type: GovernanceEventType) =>
      demo.records.filter((record) => eventIn(record).type === type).length
    const proofs = count('rollcall.proposal.proof.v1')
    expect(proofs).toBeGreaterThan(10)
    expect(figures.proofs).toEqual({
      proved: proofs,
      compared: proofs,
      missing: 0,
      lightBlocks: count('rollcall.light-block.observed.v1'),
    })
  })

  it.each<[string, () => ReturnType<typeof replaced>, RegExp]>([
    [
      'a final tally that differs from the chain',
      () =>
        changed('rollcall.proposal.closed.v1', ({ finalTally }) => {
          if (finalTally) finalTally.yes = `${BigInt(finalTally.yes ?? '0') + 1n}`
        }),
      /yes is \d+ in the log, \d+ in the proof/,
    ],
    [
      'a status that differs from the chain',
      () =>
        changed('rollcall.proposal.closed.v1', ({ proposal }) => {
          if (proposal) proposal.status = 'failed'
        }),
      /its status is failed in the log, passed in the proof|in the log, rejected in the proof/,
    ],
    [
      'a changed stored value',
      () =>
        changed('rollcall.proposal.proof.v1', (data) => {
          const value = Buffer.from(data.value ?? '', 'base64')
          value[40] = (value[40] ?? 0) ^ 1
          data.value = value.toString('base64')
        }),
      /proves another value/,
    ],
    [
      'a proof for another proposal',
      () =>
        changed('rollcall.proposal.proof.v1', (data) => Object.assign(data, { key: OTHER_KEY })),
      /The key of the proof is not that of proposal/,
    ],
    [
      'a proof for another height',
      () => changed('rollcall.proposal.proof.v1', (data) => data.stateHeight--),
      /The proof of height \d+ is beside the header of height \d+/,
    ],
    [
      'a changed header',
      () =>
        changed('rollcall.light-block.observed.v1', ({ header }) => {
          if (header) header['app_hash'] = turned(String(header['app_hash']))
        }),
      /The header of height 1 has the hash/,
    ],
    [
      'a light block with another hash',
      () =>
        changed('rollcall.light-block.observed.v1', (data) =>
          Object.assign(data, { hash: turned(data.hash) }),
        ),
      /The header has the hash [0-9A-F]{64}, not/,
    ],
    [
      'a validator with another power',
      () =>
        changed('rollcall.validators.observed.v1', ({ validators }) => {
          Object.assign(validators[0] ?? {}, { voting_power: '1' })
        }),
      /The validators do not have the hash/,
    ],
  ])('finds %s', { tags: 'infra:verify-finds-damage' }, async (_, entries, message) => {
    const { violations } = await verify(entries())
    expect(violations[0]).toMatchObject({ kind: 'proof', message: expect.stringMatching(message) })
    expect(new Set(violations.map(({ kind }) => kind))).toEqual(new Set(['proof']))
  })
})
