// Tests that a real node keeps the contract that ingest relies on.
import { inject } from 'vitest'
import { describeNode } from '../contracts/node.ts'
import { createRawRpc } from './rpc.ts'

describeNode('a real node', async () => {
  const { rpcUrl: url, firstHeight: first } = inject('devnet')
  const { node_info: info } = await createRawRpc(url).call('status')
  return { url, chainId: info.network, first, isSigned: true, isLive: true, close: async () => {} }
})
