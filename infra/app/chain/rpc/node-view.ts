// What one node has of a chain: everything up to its tip, and what it has not pruned.
import type { ServedChain } from '../served-chain.ts'
import type { RpcForm } from './forms.ts'

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

export type NodeView = {
  readonly chain: ServedChain
  readonly form: RpcForm
  /** At most the tip of the chain. */
  readonly tip: number
  readonly lowest: Readonly<Record<'block' | 'results' | 'state', number>>
}

export const createNodeView = (
  chain: ServedChain,
  { form = '0.38', window = {} }: { form?: RpcForm; window?: NodeWindow } = {},
): NodeView => {
  const { blocks, results, states, prunesEvery = 1, behind = 0 } = window
  const { firstHeight } = chain
  const tip = () => Math.max(chain.tip - behind, firstHeight)
  const lowest = (kept: number | undefined, last = tip()) =>
    kept === undefined ? firstHeight : Math.max(last - kept + 1, firstHeight)
  return {
    chain,
    form,
    get tip() {
      return tip()
    },
    get lowest() {
      const pruned = tip() - (tip() % prunesEvery)
      return { block: lowest(blocks), results: lowest(results), state: lowest(states, pruned) }
    },
  }
}
