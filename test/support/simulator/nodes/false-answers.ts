// The faults of a node whose answers are complete and false: it seems to have something else, or answers another call.

import { alterChain, forkChain } from '../block-chain.ts'
import type { RpcCall } from '../rpc/reply.ts'
import type { Strike } from './faults.ts'
import type { SimulatedNodeView } from './node-view.ts'

const IMPOSSIBLE_TIMES = [
  '2026-13-45T25:61:61Z',
  '2026-02-30T00:00:00Z',
  '',
  'yesterday',
  '1e9',
  '2026-01-01',
  '+275760-09-13T00:00:00.001Z',
  '2026-01-01T00:00:60Z',
] as const

const toFalseView = (view: SimulatedNodeView, { name, height = 0 }: Strike): SimulatedNodeView => {
  const { chain, write, form, tip, lowest } = view
  const words = view.refuseHeight ? { refuseHeight: view.refuseHeight } : {}
  switch (name) {
    case 'wrong chain id':
      return { ...view, chain: alterChain(chain, { chainId: 'another-1' }) }
    case 'forked block':
      return { ...view, chain: forkChain(chain) }
    case 'lagging tip':
      return { chain, write, form, ...words, lowest, tip: Math.min(tip, height) }
    case 'pruned heights':
      return {
        chain,
        write,
        form,
        ...words,
        tip,
        lowest: { block: height, results: height, state: height },
      }
    case 'impossible time': {
      const block = (at: number) => ({
        ...chain.block(at),
        time: IMPOSSIBLE_TIMES[at % IMPOSSIBLE_TIMES.length]!,
      })
      return { ...view, chain: alterChain(chain, { block }) }
    }
    default:
      return view
  }
}

/** What the node has, as it seems to have it. */
export const alterView = (view: SimulatedNodeView, strikes: readonly Strike[]): SimulatedNodeView =>
  strikes.reduce(toFalseView, view)

/** The call that the node answers instead. */
export const alterCall = (
  call: RpcCall,
  strikes: readonly Strike[],
  { firstHeight }: SimulatedNodeView['chain'],
): RpcCall => {
  const isOther = strikes.some(
    ({ name }) => name === 'skips a height' || name === 'results of another height',
  )
  if (!isOther) return call
  const height = Number(call.params['height'])
  const other = height > firstHeight ? height - 1 : height + 1
  return { ...call, params: { ...call.params, height: String(other) } }
}
