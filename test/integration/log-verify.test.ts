// Tests of the verification of a log and of its proofs: a real log is correct, and every kind of damage is found.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyLog } from '../../infra/app/tools/verify/log.ts'
import type { LogEntry } from '../../infra/base/log/event-log.ts'
import type { EventOf, GovernanceEvent, GovernanceEventType } from '../../ingest/contract/events.ts'
import { type DemoLog, indexDemoChain } from '../support/log/demo-log.ts'

let demo: DemoLog
let events: readonly GovernanceEvent[]
beforeAll(async () => {
  demo = await indexDemoChain(160)
  events = demo.records.map(eventIn)
})
afterAll(() => demo.remove())

const verify = async (entries: readonly LogEntry[]) =>
  await verifyLog({
    log: await demo.createLog(entries),
    signal: new AbortController().signal,
    onProgress: () => {},
  })

const eventIn = ({ value }: LogEntry) =>
  JSON.parse(Buffer.from(value).toString()) as GovernanceEvent

/** The index of the nth record of a type. */
const find = (type: GovernanceEventType, nth = 0): number => {
  const index = events.flatMap((event, at) => (event.type === type ? [at] : []))[nth]
  if (index === undefined) throw new Error(`no ${type}`)
  return index
}
const vote = () => find('rollcall.vote.cast.v1', 5)
/** Of a height without a light block, which also contains the hash before it. */
const marker = (): number => {
  const lightBlocks = events.filter(({ type }) => type === 'rollcall.light-block.observed.v1')
  const proved = new Set(lightBlocks.map(({ height }) => height))
  let nth = 20
  while (proved.has(demo.records[find('rollcall.block.indexed.v1', nth)]!.height)) nth++
  return find('rollcall.block.indexed.v1', nth)
}

/** All records with one changed. */
const replaced = (index: number, changes: Partial<LogEntry>): LogEntry[] =>
  (demo.records as readonly LogEntry[]).with(index, { ...demo.records[index]!, ...changes })
const withEvent = (index: number, change: (event: GovernanceEvent) => unknown): LogEntry[] => {
  const event = eventIn(demo.records[index]!)
  change(event)
  return replaced(index, { value: Buffer.from(JSON.stringify(event)) })
}
/** The vote with other members of its envelope. */
const withVote = (change: (event: GovernanceEvent) => Partial<GovernanceEvent>) =>
  withEvent(vote(), (event) => Object.assign(event, change(event)))
/** The first event of a type, or the one at `index`, with other members of its data. */
const withData = <Type extends GovernanceEventType>(
  type: Type,
  change: (data: EventOf<Type>['data']) => object,
  index = find(type),
) =>
  withEvent(index, ({ data }) =>
    Object.assign(data, change(data as unknown as EventOf<Type>['data'])),
  )
const withMarker = (change: (data: EventOf<'rollcall.block.indexed.v1'>['data']) => object) =>
  withData('rollcall.block.indexed.v1', change, marker())
const without = (index: number) => demo.records.toSpliced(index, 1)

/** One damaged property each: the reported kinds, and the reported position. */
const DAMAGES: readonly [string, () => readonly LogEntry[], string[], RegExp][] = [
  [
    'a record that is not JSON',
    () => replaced(vote(), { value: Buffer.from('{"half') }),
    ['unreadable'],
    /not JSON/,
  ],
  [
    'an event that does not match its schema',
    () => withData('rollcall.vote.cast.v1', () => ({ counted: 'maybe' })),
    ['unreadable'],
    /rollcall\.vote\.cast\.v1: \/data\/counted/,
  ],
  ['a lost event', () => without(vote()), ['count'], /has \d+ events, but/],
  [
    'a lost height',
    () => {
      const lost = demo.records[marker()]?.height
      return demo.records.filter(({ height }) => height !== lost)
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
    () => demo.records.toSpliced(vote(), 2, demo.records[vote() + 1]!, demo.records[vote()]!),
    ['order'],
    / is out of order: it is after /,
  ],
  [
    'another block hash',
    () => withMarker(() => ({ hash: 'A'.repeat(64) })),
    ['link'],
    /block \d+ follows .* is A{64}/,
  ],
  [
    'repeated heights',
    () => withMarker(({ from }) => ({ from: from - 3 })),
    ['gap'],
    /which end at \d+ already/,
  ],
  [
    'a marker with more heights than the log has',
    () => withMarker(() => ({ tip: 3 })),
    ['marker'],
    /has the tip 3/,
  ],
  [
    'the ID of another event',
    () => withVote(() => ({ id: 'rollcall-demo-1/1/1' })),
    ['identity'],
    /rollcall-demo-1\/1\/1 should be/,
  ],
  [
    'an event in a record of another height',
    () => replaced(vote(), { height: demo.records[vote()]!.height - 1 }),
    ['identity', 'marker', 'count'],
    /has height \d+, its record \d+/,
  ],
  [
    'a record with another time',
    () => replaced(vote(), { timeMs: 5 }),
    ['identity'],
    /its record 5 ms/,
  ],
  [
    'an event with another time than its block',
    () => withVote(({ time }) => ({ time: time.replace(/\d{4}Z$/, '0000Z') })),
    ['identity'],
    /the block is of/,
  ],
  [
    'an event of another chain',
    () =>
      withVote(({ id }) => ({
        id: id.replace('rollcall-demo-1', 'other-1'),
        source: '/chains/other-1',
      })),
    ['other chain'],
    /is of other-1, the log of rollcall-demo-1/,
  ],
  [
    'a list without one of its chunks',
    () => withData('rollcall.round.read.v1', () => ({ chunks: 2 })),
    ['chunks'],
    /ends after chunk 0 of 2/,
  ],
  [
    'a list that starts with its second chunk',
    () => withData('rollcall.round.read.v1', () => ({ chunk: 1, chunks: 2 })),
    ['chunks'],
    /chunk 1 where 0 of 2 is due/,
  ],
  [
    'a missing snapshot at the start',
    () => without(find('rollcall.chain.snapshot.v1')),
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
    () => without(find('rollcall.block.indexed.v1', 28)),
    ['marker', 'gap'],
    /have no marker before height/,
  ],
]

describe('the verification of a log', () => {
  it('finds no damage in the log of the demo chain, and counts its content', async () => {
    const { figures, violations } = await verify(demo.records)
    expect(violations).toEqual([])
    const count = (type: GovernanceEventType) =>
      events.filter((event) => event.type === type).length
    const proofs = count('rollcall.proposal.proof.v1')
    expect(proofs).toBeGreaterThan(10)
    expect(figures).toMatchObject({
      chainId: 'rollcall-demo-1',
      from: 1,
      to: 160,
      records: demo.records.length,
      unreadable: 0,
      bytes: demo.records.reduce((sum, { value }) => sum + value.length, 0),
      proofs: {
        proved: proofs,
        compared: proofs,
        missing: 0,
        lightBlocks: count('rollcall.light-block.observed.v1'),
      },
    })
    expect(Object.values(figures.events).reduce((sum, count) => sum + count)).toBe(figures.records)
  })

  it('refuses an empty log', async () => {
    await expect(verify([])).rejects.toThrow(/the log is empty/)
  })

  it.each(DAMAGES)(
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

/** The same text with another last character. */
const turned = (text: unknown) => `${text}`.slice(0, -1) + (`${text}`.endsWith('1') ? '2' : '1')

const FALSE_PROOFS: readonly [string, () => readonly LogEntry[], RegExp][] = [
  [
    'a final tally that differs from the chain',
    () =>
      withData('rollcall.proposal.closed.v1', ({ finalTally }) => ({
        finalTally: { ...finalTally, yes: `${BigInt(finalTally?.yes ?? '0') + 1n}` },
      })),
    /yes is \d+ in the log, \d+ in the proof/,
  ],
  [
    'a status that differs from the chain',
    () =>
      withData('rollcall.proposal.closed.v1', ({ proposal }) => ({
        proposal: { ...proposal, status: 'failed' },
      })),
    /its status is failed in the log, (?:passed|rejected) in the proof/,
  ],
  [
    'a changed stored value',
    () =>
      withData('rollcall.proposal.proof.v1', (data) => {
        const value = Buffer.from(data.value ?? '', 'base64')
        value[40] = (value[40] ?? 0) ^ 1
        return { value: value.toString('base64') }
      }),
    /proves another value/,
  ],
  [
    'a proof for another proposal',
    () => withData('rollcall.proposal.proof.v1', () => ({ key: '000000000000000099' })),
    /The key of the proof is not that of proposal/,
  ],
  [
    'a proof for another height',
    () =>
      withData('rollcall.proposal.proof.v1', ({ stateHeight }) => ({
        stateHeight: stateHeight - 1,
      })),
    /The proof of height \d+ is beside the header of height \d+/,
  ],
  [
    'a changed header',
    () =>
      withData('rollcall.light-block.observed.v1', ({ header }) => ({
        header: { ...header, app_hash: turned(header?.['app_hash']) },
      })),
    /The header of height 1 has the hash/,
  ],
  [
    'a light block with another hash',
    () => withData('rollcall.light-block.observed.v1', ({ hash }) => ({ hash: turned(hash) })),
    /The header has the hash [0-9A-F]{64}, not/,
  ],
  [
    'a validator with another power',
    () =>
      withData('rollcall.validators.observed.v1', ({ validators: [first, ...others] }) => ({
        validators: [{ ...first, voting_power: '1' }, ...others],
      })),
    /The validators do not have the hash/,
  ],
]

it.each(FALSE_PROOFS)(
  'the verification of the proofs in a log finds %s',
  { tags: 'infra:verify-finds-damage' },
  async (_, entries, message) => {
    const { violations } = await verify(entries())
    expect(violations[0]).toMatchObject({ kind: 'proof', message: expect.stringMatching(message) })
    expect(new Set(violations.map(({ kind }) => kind))).toEqual(new Set(['proof']))
  },
)
