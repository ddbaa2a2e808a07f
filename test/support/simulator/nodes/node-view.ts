// What a simulated node has of a chain, and how it writes it from the blocks in each form.

import type { ChainWriter, NodeView } from '../rpc/methods.ts'
import type { ServedChain } from '../rpc/served-chain.ts'
import { NODE_VERSIONS, toBlockJson, toBlockResultsJson, toHeaderJson } from './block-json.ts'
import { type RpcForm, refusalsOf } from './forms.ts'

/** Numbers of latest heights; absent: all. */
export type NodeWindow = {
  blocks?: number
  results?: number
  states?: number
  /** The node prunes states only at every multiple of this height. */
  prunesEvery?: number
  /** How many heights the node is behind the chain. */
  behind?: number
}

const createWriter = (form: RpcForm): ChainWriter => ({
  block: ({ chain }, height) => ({ result: toBlockJson(chain, height) }),
  blockResults: ({ chain }, height) => ({ result: toBlockResultsJson(chain, height, form) }),
  header: ({ chain }, height) => toHeaderJson(chain, height),
  about: ({ chain }) => ({
    nodeInfo: {
      network: chain.chainId,
      version: NODE_VERSIONS[form],
      protocol_version: { block: '11' },
    },
    validatorInfo: { voting_power: '0' },
  }),
})

export type SimulatedNodeView = NodeView & { readonly form: RpcForm }

export const createNodeView = (
  chain: ServedChain,
  { form = '0.38', window = {} }: { form?: RpcForm; window?: NodeWindow } = {},
): SimulatedNodeView => {
  const { blocks, results, states, prunesEvery = 1, behind = 0 } = window
  const { firstHeight } = chain
  const refuseHeight = refusalsOf(form)
  const tip = () => Math.max(chain.tip - behind, firstHeight)
  const lowest = (kept: number | undefined, last = tip()) =>
    kept === undefined ? firstHeight : Math.max(last - kept + 1, firstHeight)
  return {
    chain,
    write: createWriter(form),
    form,
    ...(refuseHeight ? { refuseHeight } : {}),
    get tip() {
      return tip()
    },
    get lowest() {
      const pruned = tip() - (tip() % prunesEvery)
      return { block: lowest(blocks), results: lowest(results), state: lowest(states, pruned) }
    },
  }
}
