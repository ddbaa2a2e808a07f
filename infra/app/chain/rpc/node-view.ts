// What one node has of a chain: everything up to its tip, and what it has not pruned; and how it writes it.
import type { ServedChain } from '../served-chain.ts'
import type { RpcForm } from './forms.ts'
import type { Reply } from './reply.ts'

/** The RPC's texts of what a chain has. */
export type ChainWriter = {
  /** The `result` of `block` and of `block_results`. */
  block(view: NodeView, height: number): Reply
  blockResults(view: NodeView, height: number): Reply
  header(view: NodeView, height: number): object
  /** What the node says of itself in `status` and `abci_info`. */
  about(view: NodeView): Record<'nodeInfo' | 'validatorInfo' | 'abciInfo', object>
}

export type NodeView = {
  readonly chain: ServedChain
  readonly write: ChainWriter
  readonly form: RpcForm
  /** At most the tip of the chain. */
  readonly tip: number
  readonly lowest: Readonly<Record<'block' | 'results' | 'state', number>>
}
