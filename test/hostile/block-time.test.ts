// An invalid block time, or one before the previous block, never enters the log, and no time stops indexing.
import { describe, expect, it, onTestFinished } from 'vitest'
import { toEpochMs } from '../../ingest/chain/time.ts'
import { type CrossedNode, startCrossed } from '../support/chain/crossed-nodes.ts'
import { createMemoryChain } from '../support/chain/memory-chain.ts'
import { startSourceRig, waitUntil } from '../support/chain/source-rig.ts'
import { createBlockChain } from '../support/simulator/block-chain.ts'

const IMPOSSIBLE = [
  '2026-13-45T25:61:61Z',
  '2026-02-30T14:42:16Z',
  '2026-02-28T14:42:60Z',
  '2026-06-30T23:59:60Z',
  '2026-01-01T24:00:00Z',
  '1969-12-31T23:59:59Z',
  '2262-01-01T00:00:00Z',
  'yesterday',
  '2026-06-30',
  '2026-06-30T00:00:00',
  '2026-06-30T00:00:00.1234567890Z',
] as const

const HEIGHTS = 12
const quietChain = () => {
  const chain = createMemoryChain()
  for (let height = 1; height <= HEIGHTS; height++) chain.add()
  return chain
}

describe('an invalid block time', () => {
  for (const time of IMPOSSIBLE) {
    it(`${time} makes Rollcall ask the next endpoint, and the log has the correct time`, {
      tags: 'ingest:invalid-time-is-refused',
    }, async () => {
      const chain = quietChain()
      const requestedHeights = new Set<number>()
      const run = await startCrossed(chain, [
        {
          // At the last height: no later block shows it.
          forgery: (block, height) => (height === HEIGHTS ? { ...block, time } : block),
          delayMs: ({ height }) => {
            requestedHeights.add(height)
            return 0
          },
        },
        // It is unusable until the other endpoint was asked, so that each height comes from that one first.
        {
          strike: ({ height }) =>
            height === HEIGHTS && !requestedHeights.has(height) ? 'HTTP 500' : undefined,
        },
      ])
      onTestFinished(run.stop)
      await run.reached(HEIGHTS)
      const times = (await run.events()).map((event) => event.time)
      expect(times).not.toContain(time)
      for (const each of times) expect(toEpochMs(each)).toBeGreaterThan(0)
    })
  }

  it('of the only endpoint delays the height until the endpoint reports a valid time', {
    tags: 'ingest:invalid-time-is-refused',
  }, async () => {
    const chain = quietChain()
    const forgery = { isOn: true }
    const liar: CrossedNode = {
      forgery: (block, height) =>
        forgery.isOn && height === 7 ? { ...block, time: IMPOSSIBLE[0] } : block,
    }
    const run = await startCrossed(chain, [liar], { config: { rpcRetryBudgetSeconds: 1 } })
    onTestFinished(run.stop)
    const waits = () => {
      const { ready, reasons } = run.ingest.readiness()
      const reason = `header.time is not a valid time: ${IMPOSSIBLE[0]}`
      const names = (each: string) => /height 7 cannot be read/.test(each) && each.includes(reason)
      return !ready && reasons.some(names)
    }
    await waitUntil(waits, 'readiness reports the reason of the wait')
    // The status of the endpoint is valid all the time, which must not hide the failed height.
    for (let attempt = 0; attempt < 30; attempt++) {
      expect(waits()).toBe(true)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(run.ingest.progress().height).toBeLessThan(7)
    forgery.isOn = false
    await run.reached(HEIGHTS)
    await waitUntil(() => run.ingest.readiness().ready, 'it is ready')
  })
})

describe('a block time before the time of the previous block', () => {
  const early = '2026-01-01T00:00:07Z'
  const chainWith = (time: string) =>
    createBlockChain({
      blocks: Array.from({ length: HEIGHTS }, (_, order) => (order === 6 ? { time } : {})),
    })

  it.each([1, 7])(
    'is rejected from height %i on, and the other endpoint is asked instead',
    {
      tags: 'ingest:earlier-time-is-refused',
    },
    async (from) => {
      const chain = createBlockChain({ blocks: HEIGHTS })
      const rig = await startSourceRig({
        chain,
        nodes: [{ chain: chainWith(early) }, { delayMs: () => 30 }],
      })
      onTestFinished(rig.stop)
      // A log that ends before height 7 knows the time of its last block.
      const { hash: previousHash, time: previousTime } = chain.block(from - 1)
      void rig.follow(from === 1 ? {} : { from, previousHash, previousTime })
      await rig.reached(HEIGHTS)
      const times = rig.delivered.map(({ block }) => block.time)
      expect(times).not.toContain(early)
      expect(times).toEqual(times.toSorted())
    },
  )

  it('is accepted if every endpoint keeps reporting it: one false time in the log does not stop indexing', {
    tags: 'ingest:earlier-time-is-refused',
  }, async () => {
    const late = createBlockChain({
      blocks: Array.from({ length: HEIGHTS }, (_, order) =>
        order === 5 ? { time: '2200-01-01T00:00:00Z' } : {},
      ),
    })
    const rig = await startSourceRig({
      chain: late,
      timeDisputeMs: 300,
      pool: { retryBudgetMs: 100 },
    })
    onTestFinished(rig.stop)
    void rig.follow()
    await rig.reached(HEIGHTS)
    const errors = rig.lines.filter(({ level }) => level === 'error').map(({ msg }) => msg)
    expect(errors.at(-1)).toBe('accepted the earlier block: no endpoint has another one')
  })
})
