// Proposals with messages, submitted to the chain in memory.
import { MsgStoreCode } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import type { AnyMessage } from '../../../ingest/schema/message-json.ts'
import { submitTx } from '../simulator/gov-events.ts'
import { submit } from './gov-story.ts'
import type { MemoryChain } from './memory-chain.ts'

export const storeCode = (code: Uint8Array): AnyMessage => ({
  typeUrl: MsgStoreCode.typeUrl,
  value: MsgStoreCode.encode(MsgStoreCode.fromPartial({ wasmByteCode: code })).finish(),
})

/** The proposal is in its voting period at once. */
export const addSubmission = (
  chain: MemoryChain,
  id: string,
  messages: readonly AnyMessage[],
): void => {
  chain.add({ txs: [submitTx(id)] }, (state) => {
    submit(id, chain.tip + 1, 2)(state)
    state.proposals.set(id, { ...state.proposals.get(id)!, messages: [...messages] })
  })
}
