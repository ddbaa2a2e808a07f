// Tests the heights from the transaction index of an endpoint: all pages, and bounded whatever an endpoint sends.
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../../../ingest/comet/endpoints/node-pool.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'
import { createBlockChain } from '../../../../support/simulator/block-chain.ts'
import { type NodeOptions, startNode } from '../../../../support/simulator/nodes/node.ts'
import { internalError, type Reply } from '../../../../support/simulator/rpc/reply.ts'

const QUICK = { timeoutMs: 30_000, retryBudgetMs: 300, coolDownMs: 20, maxCoolDownMs: 40 }

const connectTo = async (nodes: readonly NodeOptions[]) => {
  const started = await Promise.all(nodes.map(startNode))
  for (const each of started) onTestFinished(each.close)
  const { logger, lines } = recordingLogger()
  const node = await createChainNode({
    urls: started.map(({ url }) => url),
    settings: QUICK,
    logger,
    metrics: createMetrics('ingest'),
  })
  onTestFinished(node.close)
  return { node, nodes: started, lines }
}

const QUERY = "proposal_vote.proposal_id='7'"
const chain = createBlockChain({ blocks: 20 })

type Ask = { query: string; page: number; perPage: number }

const searching = (answer: (ask: Ask) => Reply): NodeOptions => ({
  chain,
  reply: async (call, honest) => {
    if (call.method !== 'tx_search') return honest(call)
    const { query, page, per_page: perPage } = call.params
    return answer({ query: String(query), page: Number(page), perPage: Number(perPage) })
  },
})

/** Events make the transactions of a page large. */
const toTx = (height: number, bytes = 0, at = 0) => ({
  hash: `${height}/${at}`,
  height: `${height}`,
  index: 0,
  tx_result: {
    code: 0,
    events: [{ type: 'x', attributes: [{ key: 'k', value: '"['.repeat(bytes / 2) }] }],
  },
  tx: 'AAAA',
})

/** An index of these heights with one transaction each, as CometBFT serves it. */
const serving = (heights: readonly number[], bytes = 0) =>
  searching(({ page, perPage }) => ({
    result: {
      txs: heights
        .map((height, at) => toTx(height, bytes, at))
        .slice((page - 1) * perPage, page * perPage),
      total_count: `${heights.length}`,
    },
  }))

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

const countSearches = (node: { requests: readonly { method: string }[] } | undefined) =>
  node?.requests.filter(({ method }) => method === 'tx_search').length

describe('a search of transactions', () => {
  it('returns each height once, from all pages', async () => {
    const { node, nodes } = await connectTo([serving([3, 3, ...upTo(250)])])
    const { heights, reason } = await node.searchTxs(QUERY)
    expect(reason).toBeNull()
    expect(heights.toSorted((one, other) => one - other)).toEqual(upTo(250))
    expect(countSearches(nodes[0])).toBe(9)
  })

  it('says why an endpoint has no index, without blame', async () => {
    const { node, lines } = await connectTo([
      searching(() => ({ error: internalError('transaction indexing is disabled') })),
    ])
    expect(await node.searchTxs(QUERY)).toEqual({
      heights: [],
      reason: 'transaction indexing is disabled',
    })
    expect(lines.filter(({ msg }) => msg === 'endpoint failed')).toEqual([])
  })

  it('ends if an endpoint repeats a page endlessly', async () => {
    const { node, nodes } = await connectTo([
      searching(() => ({ result: { txs: [toTx(5)], total_count: '999999999' } })),
    ])
    const { heights, reason } = await node.searchTxs(QUERY)
    expect(heights).toEqual([5])
    expect(reason).toMatch(/^the index of .* returned 2 of 999999999 transactions$/)
    expect(countSearches(nodes[0])).toBe(2)
  })

  it('refuses a height that is none', async () => {
    const { node } = await connectTo([
      searching(() => ({ result: { txs: [{ height: '-4' }], total_count: '1' } })),
    ])
    await expect(node.searchTxs(QUERY)).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
  })
})
