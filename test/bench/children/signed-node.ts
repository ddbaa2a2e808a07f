// Runs a node of a signed chain in its own process: quiet heights with one transaction and any number of validators.

import { createMemoryChain } from '../../support/chain/memory-chain.ts'
import { showChain } from '../../support/chain/shown-chain.ts'
import { signedNode } from '../../support/chain/signed-nodes.ts'
import { type RunningNode, startNode } from '../../support/simulator/nodes/node.ts'
import { createSignedChain } from '../../support/simulator/signed-chain.ts'
import { takeOrders } from './orders.ts'

type Parameters = {
  heights: number
  validators: number
  /** The power of a validator changes with each height. */
  changing: boolean
}

const nodes: RunningNode[] = []

const start = async ({ heights, validators, changing }: Parameters) => {
  const chain = createMemoryChain()
  for (let height = 1; height <= heights; height++) chain.add({ txs: [{ events: [] }] })
  // Powers decrease as on a large chain: the first fifth has two thirds.
  const powers = Array.from({ length: validators }, (_, n) => Math.ceil(10_000_000 / (n + 10)))
  const membersAt = (height: number) =>
    powers.map((power, n) => ({ name: `v${n}`, power: power + (changing && n === 0 ? height : 0) }))
  const signed = createSignedChain(showChain(chain), { membersAt })
  const node = await startNode(signedNode(signed))
  nodes.push(node)
  return { url: node.url }
}

takeOrders({ start }, () => Promise.all(nodes.map((node) => node.close())))
