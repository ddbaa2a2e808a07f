// Answers of state queries by a function, for chains without a state.

import { type AbciRequest, toAbciResponse } from '../../../../infra/app/chain/query.ts'
import type { ProofOp } from '../../../../ingest/contract/proof-events.ts'
import { refuseFutureState } from '../rpc/methods.ts'
import type { ServedChain } from '../rpc/served-chain.ts'

/** `height` is never 0. */
export type StateRequest = { path: string; data: Uint8Array; height: number }
export type StateAnswer =
  | { value: Uint8Array; proofOps?: readonly ProofOp[] | undefined }
  | { code: number; codespace?: string; log: string }
export type StateAnswers = (request: StateRequest) => StateAnswer | Promise<StateAnswer>

export const toQuery =
  (chain: Pick<ServedChain, 'tip'>, answers: StateAnswers): ServedChain['query'] =>
  async ({ path, data, height, prove }: AbciRequest) => {
    if (height > BigInt(chain.tip)) return refuseFutureState(height)
    const answer = await answers({ path, data, height: Number(height) })
    if ('code' in answer) {
      return toAbciResponse({ codespace: 'sdk', ...answer, height: String(height) })
    }
    const { value, proofOps } = answer
    return toAbciResponse({
      value: value.length > 0 ? Buffer.from(value).toString('base64') : null,
      proofOps: prove && proofOps ? { ops: proofOps } : null,
      height: String(height),
    })
  }
