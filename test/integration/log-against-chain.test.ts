// Tests of the comparison of a log with its chain: an honest log matches, and a forgery is found.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createHeightSample,
  verifySample,
} from '../../infra/app/tools/verify/against-node/verify-sample.ts'
import { verifyLog } from '../../infra/app/tools/verify/verify-log.ts'
import type { LogEntry } from '../../infra/base/log/event-log.ts'
import { hasCode } from '../../infra/base/runtime/errors.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import type { ChainNode } from '../../ingest/comet/node.ts'
import { createChainNode } from '../../ingest/comet/node-pool.ts'
import { asMarker, damageTo, eventIn, withEvent } from '../support/log/damaged-log.ts'
import { type DemoLog, indexDemoChain } from '../support/log/demo-log.ts'
import { silentLogger } from '../support/process/log-lines.ts'

let demo: DemoLog
let node: ChainNode
beforeAll(async () => {
  demo = await indexDemoChain(200)
  node = await createChainNode({
    urls: [demo.replay.url],
    logger: silentLogger(),
    metrics: createMetrics('test'),
  })
})
afterAll(async () => {
  await node.close()
  await demo.remove()
})

const never = new AbortController().signal

const { entryAt, findRecordIndex, replaced, verify, vote } = damageTo(() => demo)

const compare = async (
  entries: readonly LogEntry[],
  {
    size = 1_000,
    seed = 'a',
    chain = node,
  }: { size?: number; seed?: string; chain?: Pick<ChainNode, 'block' | 'abciQuery'> } = {},
) => {
  const log = await demo.createLog(entries)
  const sample = createHeightSample(size, seed)
  const options = { log, signal: never, onProgress: () => {} }
  await verifyLog({ ...options, onHeight: sample.offer })
  return await verifySample({ ...options, logger: silentLogger(), node: chain, sample, seed })
}

describe('the comparison of a log with its chain', () => {
  it('finds every block and every event of the log on the chain, and reports what it skipped', async () => {
    const { violations, heights, compared, notCompared } = await compare(demo.records)
    expect(violations).toEqual([])
    expect(heights).toHaveLength(compared.blocks)
    expect(compared.quietBlocks).toBeGreaterThan(3)
    const counts = demo.records.map(eventIn).filter(({ type }) => {
      return !/block\.indexed|chain\.snapshot|tally\.evidence|schema\.observed|light-block|validators/.test(
        type,
      )
    })
    expect(compared.events).toBe(counts.length)
    expect(notCompared.map(({ subject }) => subject).sort()).toEqual([
      'rollcall.chain.snapshot.v1',
      'rollcall.light-block.observed.v1',
      'rollcall.proposal.context.v1',
      'rollcall.schema.observed.v1',
      'rollcall.tally.evidence.v1',
      'rollcall.validators.observed.v1',
    ])
  })

  it('uses the same sample for the same seed, half of it heights with events', async () => {
    const [first, again, other] = await Promise.all([
      compare(demo.records, { size: 12 }),
      compare(demo.records, { size: 12 }),
      compare(demo.records, { size: 12, seed: 'b' }),
    ])
    expect(first.heights).toHaveLength(12)
    expect(again.heights).toEqual(first.heights)
    expect(other.heights).not.toEqual(first.heights)
  })

  it('finds a forged vote in a log that is consistent in itself', async () => {
    const voteIndex = vote()
    const forged = withEvent(entryAt(voteIndex), (event) => {
      const index = event.index + 1
      Object.assign(event, { index, id: event.id.replace(/\d+$/, `${index}`) })
    })
    const { height } = forged
    const entries = demo.records
      .toSpliced(voteIndex + 1, 0, { ...forged, offset: 0n })
      .map((entry) => {
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
      expect.objectContaining({ kind: 'not on the chain', height, offset: `${voteIndex + 1}` }),
    ])
  })

  it.each<[string, () => readonly LogEntry[], RegExp]>([
    [
      'a vote with a changed option',
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
      'a pool with another number of tokens',
      () =>
        replaced(findRecordIndex('rollcall.pools.observed.v1', 1), (event) => {
          const { pools } = event.data as { pools: { tokens: string }[] }
          pools[0]!.tokens = '1'
        }),
      /pool \w+ differs from the chain/,
    ],
    [
      'a close with another result',
      () =>
        replaced(findRecordIndex('rollcall.proposal.closed.v1'), (event) =>
          Object.assign(event.data, { outcome: 'unknown' }),
        ),
      /outcome is "unknown" in the log/,
    ],
  ])('finds %s', async (_, entries, expectedText) => {
    expect((await verify(entries())).violations).toEqual([])
    const { violations } = await compare(entries())
    expect(violations.map((each) => each.message).join('\n')).toMatch(expectedText)
    expect(new Set(violations.map(({ kind }) => kind))).toEqual(new Set(['differs']))
  })

  it('finds an event that was removed together with its count', async () => {
    const voteIndex = vote()
    const { height } = entryAt(voteIndex)
    const entries = demo.records.toSpliced(voteIndex, 1).map((entry) => {
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

  it('reports what it cannot compare if the node has no state of old heights', async () => {
    const pruned: Pick<ChainNode, 'block' | 'abciQuery'> = {
      block: (height) => node.block(height),
      abciQuery: () => Promise.resolve({ kind: 'pruned', log: 'version does not exist' }),
    }
    const { violations, notCompared, compared } = await compare(demo.records, { chain: pruned })
    expect(violations).toEqual([])
    expect(compared.events).toBeGreaterThan(500)
    const delegations = notCompared.find(
      ({ subject }) => subject === 'rollcall.vote.cast.v1: delegations',
    )
    expect(delegations?.reason).toMatch(/version does not exist/)
    expect(delegations?.count).toBeGreaterThan(500)
  })

  it('refuses another chain', async () => {
    const other = await createChainNode({
      urls: [demo.replay.url],
      chainId: 'other-1',
      settings: { retryBudgetMs: 200 },
      logger: silentLogger(),
      metrics: createMetrics('other'),
    })
    const error = await compare(demo.records, { chain: other }).catch((thrown: unknown) => thrown)
    await other.close()
    expect(hasCode(error, 'CHAIN_MISMATCH') || hasCode(error, 'RPC_UNAVAILABLE')).toBe(true)
  })
})
