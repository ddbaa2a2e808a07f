// The contract of a CometBFT node, as ingest reads it: of the nodes of the tests, the recorded demo and a real chain.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import WebSocket from 'ws'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import type { ChainNode } from '../../ingest/comet/endpoints/node.ts'
import { createChainNode } from '../../ingest/comet/endpoints/node-pool.ts'
import { silentLogger } from '../support/process/log-lines.ts'

export type NodeRig = {
  url: string
  chainId: string
  /** The node has at least six heights from here on. */
  first: number
  /** False for a chain without signatures. */
  isSigned: boolean
  /** Adds a block now; absent if the node adds blocks by itself, or none. */
  addBlock?: () => void
  /** True if blocks come by themselves or by `addBlock`. */
  isLive: boolean
  close(): Promise<void>
}

const FUTURE = 1_000_000
const STAKING_POOL = '/cosmos.staking.v1beta1.Query/Pool'
const NO_QUERY = '/rollcall.Query/Nothing'

/** Resolves with the heights of new headers, once there are `count`. */
const readNotices = (url: string, count: number, onOpen: () => void): Promise<number[]> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`)
    onTestFinished(() => socket.terminate())
    const heights: number[] = []
    const params = { query: "tm.event='NewBlockHeader'" }
    socket.on('open', () =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params })),
    )
    socket.on('error', reject)
    socket.on('message', (bytes) => {
      const { result } = JSON.parse(String(bytes))
      const header = result?.data?.value?.header
      if (header === undefined) return onOpen()
      heights.push(Number(header.height))
      if (heights.length === count) resolve(heights)
    })
  })

export const describeNode = (name: string, startNode: () => Promise<NodeRig>): void => {
  describe(`${name} keeps the contract of a node`, () => {
    let rig: NodeRig
    let heights: number[]
    beforeAll(async () => {
      rig = await startNode()
      heights = Array.from({ length: 5 }, (_, at) => rig.first + at)
    })
    afterAll(() => rig?.close())

    const connect = async (): Promise<ChainNode> => {
      const node = await createChainNode({
        urls: [rig.url],
        chainId: rig.chainId,
        settings: { retryBudgetMs: 0 },
        logger: silentLogger(),
        metrics: createMetrics('ingest'),
      })
      onTestFinished(() => node.close())
      return node
    }

    it('names its chain, its heights, and whether it is catching up', async () => {
      const node = await connect()
      const status = await node.status()
      expect(status).toMatchObject({ chainId: rig.chainId, catchingUp: false })
      expect(status.latestHeight).toBeGreaterThanOrEqual(rig.first + 5)
      expect(status.earliestHeight).toBeLessThanOrEqual(rig.first)
      expect(Date.parse(status.latestTime)).toBeGreaterThan(0)
      expect(await node.latestHeight()).toBeGreaterThanOrEqual(status.latestHeight)
    })

    it('has blocks that link to each other, in the order of time, with the results of each', async () => {
      const node = await connect()
      const blocks = await Promise.all(heights.map((height) => node.block(height)))
      expect(blocks.map(({ height }) => height)).toEqual(heights)
      for (const [at, block] of blocks.entries()) {
        expect(block.chainId).toBe(rig.chainId)
        expect(block.hash).toMatch(/^[0-9A-F]{64}$/)
        const next = blocks[at + 1]
        if (next) expect([next.previousHash, next.time >= block.time]).toEqual([block.hash, true])
      }
    })

    it('has each header without its block', async () => {
      const node = await connect()
      for (const height of heights) {
        const { time, previousHash } = await node.block(height)
        expect(await node.header(height)).toEqual({ height, time, previousHash })
      }
    })

    it('says of a height that it does not have yet, or no longer, which of both it is', async () => {
      const node = await connect()
      await expect(node.block(FUTURE)).rejects.toMatchObject({
        code: 'RPC_UNAVAILABLE',
        retryable: true,
      })
      const { earliestHeight } = await node.status()
      if (earliestHeight < 2) return
      await expect(node.block(earliestHeight - 1)).rejects.toMatchObject({
        code: 'HEIGHT_UNAVAILABLE',
      })
    })

    it('answers a query of the state at a height, and refuses an unknown one as a value', async () => {
      const node = await connect()
      const data = new Uint8Array()
      const height = rig.first + 3
      expect(await node.abciQuery({ path: STAKING_POOL, data, height })).toMatchObject({
        kind: 'value',
      })
      expect(await node.abciQuery({ path: NO_QUERY, data, height })).toMatchObject({
        kind: 'refused',
        codespace: 'sdk',
        code: 6,
      })
    })

    it('has light blocks that verify, if its chain signs', async () => {
      const node = await connect()
      const height = rig.first + 2
      const { hash } = await node.block(height)
      const read = node.lightBlock?.(height, hash)
      if (rig.isSigned) expect((await read)?.header).toMatchObject({ height: `${height}` })
      else await expect(read).rejects.toMatchObject({ code: 'HEIGHT_UNAVAILABLE' })
    })

    it('finds the heights of transactions by an event, or says that it has no index', async () => {
      const height = rig.first + 1
      const { heights: found, reason } = await (await connect()).searchTxs(`tx.height=${height}`)
      expect(found).toEqual(found.map(() => height))
      if (found.length === 0 && reason !== null) expect(reason).toMatch(/\w/)
    })

    it('announces each new header to its subscribers, in order', async () => {
      if (!rig.isLive) return
      const announced = await readNotices(rig.url, 2, () => {
        rig.addBlock?.()
        rig.addBlock?.()
      })
      expect(announced[1]).toBe((announced[0] ?? 0) + 1)
    })
  })
}
