// Compares the replay node with its recorded live node: every response is equal to the byte.
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { startDemoNode } from '../../infra/app/demo/demo-node.ts'
import { openRecording } from '../../infra/app/demo/recording.ts'
import { proposalKey } from '../../infra/base/proof/proposal.ts'
import { parseQueryKind, toEventJson } from '../support/simulator/nodes/block-events.ts'
import { UNASKED_QUERIES } from '../support/simulator/queries/unasked.ts'
import { type Question, questionsAt } from './questions.ts'
import { createRawRpc } from './rpc.ts'

const { rpcUrl, firstHeight, lastHeight, proposals, recordingDir } = inject('devnet')
const SAMPLES = 9
const ALONGSIDE = 8

async function setup() {
  const recording = openRecording(recordingDir)
  const node = await startDemoNode({ recording, preload: lastHeight })
  onTestFinished(() => node.close())
  return { live: createRawRpc(rpcUrl), replay: createRawRpc(node.url), replayUrl: node.url }
}

const sampledHeights = Array.from({ length: SAMPLES }, (_, index) =>
  Math.round(firstHeight + ((lastHeight - firstHeight) * index) / (SAMPLES - 1)),
)

async function inBatches<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  for (let at = 0; at < items.length; at += ALONGSIDE) {
    await Promise.all(items.slice(at, at + ALONGSIDE).map(work))
  }
}

describe('the replay of a recorded run', () => {
  it.each(sampledHeights)(
    'answers every state query of Rollcall at height %i as the live node does',
    async (height) => {
      const { live, replay } = await setup()
      const all = await questionsAt(({ path, data }) => live.query(path, data, height))
      const questions = all.filter(({ path }) => !(path in UNASKED_QUERIES))
      expect(questions.length).toBeGreaterThan(100)
      const differing: unknown[] = []
      await inBatches(questions, async ({ path, data }: Question) => {
        const [real, replayed] = await Promise.all([
          live.abciQuery(path, data, height),
          replay.abciQuery(path, data, height),
        ])
        if (JSON.stringify(real) !== JSON.stringify(replayed)) {
          differing.push({ path, data: Buffer.from(data).toString('hex'), real, replayed })
        }
      })
      expect(differing).toEqual([])
    },
  )

  it('serves every block and its results to the byte', async () => {
    const { live, replay } = await setup()
    const heights = Array.from(
      { length: lastHeight - firstHeight + 1 },
      (_, at) => firstHeight + at,
    )
    await inBatches(heights, async (height) => {
      // The commit of the last recorded height is in the block after it, which is not recorded.
      const methods = [
        'block',
        'block_results',
        'validators',
        ...(height < lastHeight ? ['commit'] : []),
      ]
      for (const method of methods) {
        const params = { height: String(height) }
        expect(await replay.raw(method, params)).toBe(await live.raw(method, params))
      }
    })
  })

  it('proves each proposal at each height where it changed, as the live node does', async () => {
    const { live, replay } = await setup()
    const { history } = openRecording(recordingDir)
    let compared = 0
    for (const id of Object.values(proposals)) {
      const key = Buffer.from(proposalKey(BigInt(id)))
      for (let height = firstHeight + 1; height <= lastHeight; height++) {
        const stored = (at: number) => history.at(at).get('proposal', key.subarray(1))
        const value = stored(height)
        if (!value || value === stored(height - 1)) continue
        const data = key.toString('hex')
        const params = { path: '/store/gov/key', data, height: `${height}`, prove: true }
        const answer = await replay.raw('abci_query', params)
        expect(answer).toBe(await live.raw('abci_query', params))
        compared++
      }
    }
    expect(compared).toBeGreaterThan(40)
  })

  it('serves the validators of a height page by page', async () => {
    const { live, replay } = await setup()
    for (const params of [
      { page: '1', per_page: '10' },
      { page: '3', per_page: '10' },
      { page: '1', per_page: '1000' },
    ]) {
      const ask = (rpc: typeof live) =>
        rpc.raw('validators', { height: '9', ...params }).catch((error: Error) => error.message)
      expect(await ask(replay)).toBe(await ask(live))
    }
  })

  it('refuses what it does not have as the live node does', async () => {
    const { replayUrl } = await setup()
    const bodies = [
      { method: 'no_such_method', params: {} },
      { method: 'block', params: { height: '10000000' } },
      {
        method: 'abci_query',
        params: { path: '/cosmos.gov.v1.Query/Proposal', data: '0801', height: '10000000' },
      },
    ]
    const ask = async (url: string, body: object) => {
      const text = JSON.stringify({ jsonrpc: '2.0', id: 7, ...body })
      const response = await fetch(url, { method: 'POST', body: text })
      const { error, result } = (await response.json()) as {
        error?: { code: number; data?: string }
        result?: unknown
      }
      // The height of the live node is another one.
      return { code: error?.code, data: error?.data?.replaceAll(/\d+/g, 'N'), result }
    }
    for (const body of bodies) {
      const { data = '', ...answer } = await ask(replayUrl, body)
      const live = await ask(rpcUrl, body)
      expect(answer).toEqual({ code: live.code, result: live.result })
      if (live.data !== undefined) expect(data).toBe(live.data)
    }
  })

  it.each(['NewBlock', 'NewBlockHeader', 'NewBlockEvents'])(
    'reports a new block with the same event as the live node (%s)',
    async (kind) => {
      const query = `tm.event='${kind}'`
      const pushed = await nextEvent(query)
      const { data } = pushed
      const height =
        data.value.block?.header.height ?? data.value.header?.height ?? data.value.height
      const live = createRawRpc(rpcUrl)
      const recorded = {
        block: await live.call('block', { height }),
        results: await live.call('block_results', { height }),
      }
      const known = parseQueryKind(query)
      expect(known).toBe(kind)
      const event = toEventJson({ kind: known ?? 'NewBlock', query, form: '0.38' }, recorded)
      expect(JSON.parse(JSON.stringify(event))).toEqual(pushed)
    },
  )
})

// biome-ignore lint/suspicious/noExplicitAny: the live node's own event, compared as it came
async function nextEvent(query: string): Promise<any> {
  const socket = new WebSocket(`${rpcUrl.replace('http', 'ws')}/websocket`)
  onTestFinished(() => socket.terminate())
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query } }))
  return new Promise((resolve) => {
    socket.on('message', (data) => {
      const { result } = JSON.parse(String(data))
      // The first response only confirms the subscription.
      if (result?.data) resolve(result)
    })
  })
}
