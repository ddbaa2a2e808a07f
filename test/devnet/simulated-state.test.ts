// Compares a simulated chain with a running node: loaded with its state of a height, it gives the same bytes.
import { expect, inject, it } from 'vitest'
import { compareWithNode } from '../support/chain/simulated-answers.ts'
import { createRawRpc } from './rpc.ts'

const { rpcUrl, firstHeight, lastHeight } = inject('devnet')
const SAMPLES = 5
const heights = Array.from({ length: SAMPLES }, (_, index) =>
  Math.round(firstHeight + ((lastHeight - firstHeight) * index) / (SAMPLES - 1)),
)

it.each(heights)('at height %i', async (height) => {
  const { abciQuery } = createRawRpc(rpcUrl)
  const ask = (path: string, data: Uint8Array) => abciQuery(path, data, height)
  const { asked, differing } = await compareWithNode(ask, height)
  expect(asked).toBeGreaterThan(100)
  expect(differing).toEqual([])
})
