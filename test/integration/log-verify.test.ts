// The proof of a log, on a real one: clean as it is, and every single kind of damage found; and the chain itself as its witness.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LogEntry } from '../../infra/log/event-log.ts'
import { hasCode } from '../../infra/runtime/errors.ts'
import { createMetrics } from '../../infra/runtime/metrics.ts'
import type { ChainNode } from '../../ingest/comet/node.ts'
import { createChainNode } from '../../ingest/comet/node-pool.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { createHeightSample, verifySample } from '../../ingest/verify/against-node/verify-sample.ts'
import { verifyLog } from '../../ingest/verify/verify-log.ts'
import { type DemoLog, indexDemoChain } from '../support/demo-log.ts'
import { silentLogger } from '../support/log-lines.ts'

let demo: DemoLog
let node: ChainNode
beforeAll(async () => {
  demo = await indexDemoChain(160)
  node = await createChainNode({
    urls: [demo.replay.url],
    log: silentLogger(),
    metrics: createMetrics('test'),
  })
})
afterAll(async () => {
  await node.close()
  await demo.remove()
})

const never = new AbortController().signal

const verify = async (entries: readonly LogEntry[]) =>
  await verifyLog({ log: await demo.logOf(entries), signal: never, onProgress: () => {} })

const eventIn = ({ value }: LogEntry): GovernanceEvent =>
  JSON.parse(Buffer.from(value).toString()) as GovernanceEvent

const withEvent = (entry: LogEntry, change: (event: GovernanceEvent) => void): LogEntry => {
  const event = eventIn(entry)
  change(event)
  return { ...entry, value: Buffer.from(JSON.stringify(event)) }
}

/** The place of the nth record of a type. */
const placeOf = (type: string, nth = 0): number => {
  const places = demo.records.flatMap((entry, at) => (eventIn(entry).type === type ? [at] : []))
  const place = places[nth]
  if (place === undefined) throw new Error(`no ${type}`)
  return place
}
const vote = () => placeOf('rollcall.vote.cast.v1', 5)
const marker = () => placeOf('rollcall.block.indexed.v1', 20)
const entryAt = (place: number): LogEntry => demo.records[place]!

const replaced = (place: number, change: (event: GovernanceEvent) => void): LogEntry[] =>
  demo.records.with(place, { ...withEvent(entryAt(place), change), offset: 0n })

type Marker = Extract<GovernanceEvent, { type: 'rollcall.block.indexed.v1' }>
const asMarker = (change: (data: Marker['data']) => void) => (event: GovernanceEvent) =>
  change((event as Marker).data)

describe('the proof of a log', () => {
  it('finds nothing in the log of the demo chain, and counts what is there', async () => {
    const { figures, violations } = await verify(demo.records)
    expect(violations).toEqual([])
    expect(figures).toMatchObject({
      ...{ chainId: 'rollcall-demo-1', from: 1, to: 160, records: demo.records.length },
      ...{ unreadable: 0, bytes: demo.records.reduce((sum, { value }) => sum + value.length, 0) },
    })
    expect(Object.values(figures.events).reduce((sum, count) => sum + count)).toBe(figures.records)
  })

  it('refuses to prove a log that has nothing in it', async () => {
    await expect(verify([])).rejects.toThrow(/the log is empty/)
  })

  /** One property damaged each: the kinds that are told, and the height of it. */
  const damages: [string, () => readonly LogEntry[], string[], RegExp][] = [
    [
      'a record that is no JSON',
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
    [
      'a lost event',
      () => demo.records.toSpliced(vote(), 1),
      ['count'],
      /tells of \d+ events, but/,
    ],
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
      'an event twice',
      () => demo.records.toSpliced(vote(), 0, demo.records[vote()]!),
      ['order', 'count'],
      /is there twice, also at offset \d+/,
    ],
    [
      'two events that changed places',
      () =>
        demo.records
          .with(vote(), demo.records[vote() + 1]!)
          .with(vote() + 1, demo.records[vote()]!),
      ['order'],
      /stands behind/,
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
      'heights told twice',
      () =>
        replaced(
          marker(),
          asMarker((data) => Object.assign(data, { from: data.from - 3 })),
        ),
      ['gap'],
      /which end at \d+ already/,
    ],
    [
      'a marker of more heights than there are',
      () =>
        replaced(
          marker(),
          asMarker((data) => Object.assign(data, { tip: 3 })),
        ),
      ['marker'],
      /says that the tip is 3/,
    ],
    [
      'an id that is of another event',
      () => replaced(vote(), (event) => Object.assign(event, { id: 'rollcall-demo-1/1/1' })),
      ['identity'],
      /rollcall-demo-1\/1\/1 should be/,
    ],
    [
      'an event in the record of another height',
      () =>
        demo.records.with(vote(), { ...demo.records[vote()]!, height: entryAt(vote()).height - 1 }),
      ['identity', 'marker', 'count'],
      /says height \d+, its record \d+/,
    ],
    [
      'a record of another time',
      () => demo.records.with(vote(), { ...demo.records[vote()]!, timeMs: 5 }),
      ['identity'],
      /its record 5 ms/,
    ],
    [
      'an event of another time than its block',
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
      'a list that lacks a chunk',
      () =>
        replaced(placeOf('rollcall.tally.evidence.v1'), (event) => {
          Object.assign(event.data, { chunks: 2 })
        }),
      ['chunks'],
      /ends after chunk 0 of 2/,
    ],
    [
      'a list that begins with its second chunk',
      () =>
        replaced(placeOf('rollcall.tally.evidence.v1'), (event) => {
          Object.assign(event.data, { chunk: 1, chunks: 2 })
        }),
      ['chunks'],
      /chunk 1 where 0 of 2 is due/,
    ],
    [
      'no snapshot at its beginning',
      () => demo.records.toSpliced(placeOf('rollcall.chain.snapshot.v1'), 1),
      ['beginning', 'count'],
      /does not begin with a snapshot/,
    ],
    [
      'no marker at its end',
      () => demo.records.slice(0, vote() + 1),
      ['marker'],
      /have no marker at the end of the log/,
    ],
    [
      'no marker behind a height',
      () => demo.records.toSpliced(placeOf('rollcall.block.indexed.v1', 28), 1),
      ['marker', 'gap'],
      /have no marker before height/,
    ],
  ]

  it.each(damages)('finds %s, and tells where', async (_, entries, kinds, says) => {
    const { violations, violationCount } = await verify(entries())
    expect([...new Set(violations.map(({ kind }) => kind))].sort()).toEqual(kinds.toSorted())
    expect(violationCount).toBe(violations.length)
    expect(violations.map((each) => each.says).join('\n')).toMatch(says)
    for (const { offset, height } of violations) {
      expect(entries().some((_entry, at) => `${at}` === offset)).toBe(true)
      expect(height).toBeGreaterThan(0)
    }
  })

  it('keeps count where there is more damage than it lists', async () => {
    const garbled = demo.records.map((entry) => ({ ...entry, value: Buffer.from('?') }))
    const { violations, violationCount } = await verify(garbled)
    expect(violations).toHaveLength(1_000)
    expect(violationCount).toBeGreaterThan(garbled.length)
  })
})

const compare = async (
  entries: readonly LogEntry[],
  {
    size = 1_000,
    seed = 'a',
    chain = node,
  }: { size?: number; seed?: string; chain?: Pick<ChainNode, 'block' | 'abciQuery'> } = {},
) => {
  const log = await demo.logOf(entries)
  const sample = createHeightSample(size, seed)
  const options = { log, signal: never, onProgress: () => {} }
  await verifyLog({ ...options, onHeight: sample.offer })
  return await verifySample({ ...options, node: chain, sample, seed })
}

describe('the comparison with the chain', () => {
  it('finds every block and every event of the log on the chain, and says what it left out', async () => {
    const { violations, heights, compared, notCompared } = await compare(demo.records)
    expect(violations).toEqual([])
    expect(heights).toHaveLength(compared.blocks)
    expect(compared.quietBlocks).toBeGreaterThan(3)
    const counts = demo.records.map(eventIn).filter(({ type }) => {
      return !/block\.indexed|chain\.snapshot|tally\.evidence/.test(type)
    })
    expect(compared.events).toBe(counts.length)
    expect(notCompared.map(({ what }) => what).sort()).toEqual([
      'rollcall.chain.snapshot.v1',
      'rollcall.tally.evidence.v1',
    ])
  })

  it('takes the same sample for the same seed, half of it heights with events', async () => {
    const [first, again, other] = await Promise.all([
      compare(demo.records, { size: 12 }),
      compare(demo.records, { size: 12 }),
      compare(demo.records, { size: 12, seed: 'b' }),
    ])
    expect(first.heights).toHaveLength(12)
    expect(again.heights).toEqual(first.heights)
    expect(other.heights).not.toEqual(first.heights)
  })

  it('finds a forged vote that the log itself does not give away', async () => {
    const place = vote()
    const forged = withEvent(entryAt(place), (event) => {
      const index = event.index + 1
      Object.assign(event, { index, id: event.id.replace(/\d+$/, `${index}`) })
    })
    const { height } = forged
    const entries = demo.records.toSpliced(place + 1, 0, { ...forged, offset: 0n }).map((entry) => {
      const isMarker =
        entry.height === height && eventIn(entry).type === 'rollcall.block.indexed.v1'
      return isMarker
        ? withEvent(
            entry,
            asMarker((data) => data.events++),
          )
        : entry
    })
    expect((await verify(entries)).violations).toEqual([])
    const { violations } = await compare(entries)
    expect(violations).toEqual([
      expect.objectContaining({ kind: 'not on the chain', height, offset: `${place + 1}` }),
    ])
  })

  it.each<[string, () => readonly LogEntry[], RegExp]>([
    [
      'a vote that was turned round',
      () =>
        replaced(vote(), (event) =>
          Object.assign(event.data, { options: [{ option: 'no_with_veto', weight: '1' }] }),
        ),
      /options is .*no_with_veto.* in the log/,
    ],
    [
      'stake that the voter does not have',
      () => replaced(vote(), (event) => Object.assign(event.data, { delegations: [] })),
      /delegations is \[\] in the log/,
    ],
    [
      'a pool with other tokens',
      () =>
        replaced(placeOf('rollcall.pools.observed.v1', 1), (event) => {
          const { pools } = event.data as { pools: { tokens: string }[] }
          pools[0]!.tokens = '1'
        }),
      /pool \w+ is other than on the chain/,
    ],
    [
      'a close with another result',
      () =>
        replaced(placeOf('rollcall.proposal.closed.v1'), (event) =>
          Object.assign(event.data, { outcome: 'unknown' }),
        ),
      /outcome is "unknown" in the log/,
    ],
  ])('finds %s', async (_, entries, says) => {
    expect((await verify(entries())).violations).toEqual([])
    const { violations } = await compare(entries())
    expect(violations.map((each) => each.says).join('\n')).toMatch(says)
    expect(new Set(violations.map(({ kind }) => kind))).toEqual(new Set(['differs']))
  })

  it('finds an event that was taken out together with its count', async () => {
    const place = vote()
    const { height } = entryAt(place)
    const entries = demo.records.toSpliced(place, 1).map((entry) => {
      const isMarker =
        entry.height === height && eventIn(entry).type === 'rollcall.block.indexed.v1'
      return isMarker
        ? withEvent(
            entry,
            asMarker((data) => data.events--),
          )
        : entry
    })
    const { violations } = await compare(entries)
    expect(violations).toEqual([expect.objectContaining({ kind: 'missing', height })])
  })

  it('says what a node without the state of old heights cannot be asked', async () => {
    const pruned: Pick<ChainNode, 'block' | 'abciQuery'> = {
      block: (height) => node.block(height),
      abciQuery: () => Promise.resolve({ kind: 'pruned', log: 'version does not exist' }),
    }
    const { violations, notCompared, compared } = await compare(demo.records, { chain: pruned })
    expect(violations).toEqual([])
    expect(compared.events).toBeGreaterThan(500)
    const delegations = notCompared.find(
      ({ what }) => what === 'rollcall.vote.cast.v1: delegations',
    )
    expect(delegations?.reason).toMatch(/version does not exist/)
    expect(delegations?.count).toBeGreaterThan(500)
  })

  it('refuses a chain that is another one', async () => {
    const other = await createChainNode({
      ...{ urls: [demo.replay.url], chainId: 'other-1', settings: { retryBudgetMs: 200 } },
      ...{ log: silentLogger(), metrics: createMetrics('other') },
    })
    const error = await compare(demo.records, { chain: other }).catch((thrown: unknown) => thrown)
    await other.close()
    expect(hasCode(error, 'CHAIN_MISMATCH') || hasCode(error, 'RPC_UNAVAILABLE')).toBe(true)
  })
})
