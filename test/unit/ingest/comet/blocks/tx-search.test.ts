// Tests the heights from the transaction index of an endpoint: all pages, and bounded whatever an endpoint sends.
import { expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../../../ingest/comet/endpoints/node-pool.ts'
import { silentLogger } from '../../../../support/process/log-lines.ts'
import { createBlockChain } from '../../../../support/simulator/block-chain.ts'
import { startNode } from '../../../../support/simulator/nodes/node.ts'

type Page = { txs: readonly object[]; total_count: string }

/** Searches at an endpoint with these pages. */
const search = async (toPage: (page: number, perPage: number) => Page) => {
  let searches = 0
  const served = await startNode({
    chain: createBlockChain({ blocks: 1 }),
    reply: async (call, honest) => {
      if (call.method !== 'tx_search') return honest(call)
      searches++
      return { result: toPage(Number(call.params['page']), Number(call.params['per_page'])) }
    },
  })
  onTestFinished(served.close)
  const node = await createChainNode({
    urls: [served.url],
    settings: { retryBudgetMs: 300, coolDownMs: 20, maxCoolDownMs: 40 },
    logger: silentLogger(),
    metrics: createMetrics('ingest'),
  })
  onTestFinished(node.close)
  const { heights, reason } = await node.searchTxs("proposal_vote.proposal_id='7'")
  return { heights: heights.toSorted((one, other) => one - other), reason, searches }
}

const toTx = (height: number) => ({ hash: `${height}`, height: `${height}`, index: 0, tx: 'AAAA' })

it('a search of transactions returns each height once, from all pages', async () => {
  const heights = Array.from({ length: 250 }, (_, at) => at + 1)
  const txs = [3, 3, ...heights].map(toTx)
  const found = await search((page, perPage) => ({
    txs: txs.slice((page - 1) * perPage, page * perPage),
    total_count: `${txs.length}`,
  }))
  expect(found).toEqual({ heights, reason: null, searches: 9 })
})

it('a search of transactions ends with the reason if an endpoint repeats a page endlessly', async () => {
  expect(await search(() => ({ txs: [toTx(5)], total_count: '999999999' }))).toEqual({
    heights: [5],
    reason: expect.stringMatching(/^the index of .* returned 2 of 999999999 transactions$/),
    searches: 2,
  })
})

it('a search of transactions refuses a height that is none', async () => {
  const found = search(() => ({ txs: [{ height: '-4' }], total_count: '1' }))
  await expect(found).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
})
