// The forms of the RPC: what nodes of each version write differently.
import type { NodeView } from '../rpc/methods.ts'

/** `sei` is Tendermint 0.35 as Sei runs it. */
export const RPC_FORMS = ['0.34', '0.37', '0.38', '0.39', '1.0', 'sei'] as const
export type RpcForm = (typeof RPC_FORMS)[number]

/** One list for begin and end block. */
export const joinsBlockEvents = (form: RpcForm): boolean => form !== '0.34' && form !== '0.37'

/** Attributes are `bytes`: base64 in JSON. */
export const hasByteAttributes = (form: RpcForm): boolean => form === '0.34' || form === 'sei'

/** Undefined for the words of most versions. */
export function refusalsOf(form: RpcForm): NodeView['refuseHeight'] {
  if (form !== 'sei') return undefined
  return (height, { tip, lowest }) =>
    height > BigInt(tip)
      ? `height must be less than or equal to the head of the node's blockchain (requested height: ${height}, blockchain height: ${tip})`
      : `height is not available (requested height: ${height}, base height: ${lowest})`
}
