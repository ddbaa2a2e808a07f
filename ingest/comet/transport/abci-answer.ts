// Asks for states with `abci_query`, and maps the responses to their meaning: a value, not found, pruned state, or a refusal.
import { Comet38Client, type comet38 } from '@cosmjs/tendermint-rpc'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { ProofOp } from '../../contract/proof-events.ts'
import type { AbciAnswer, AbciRequest } from '../endpoints/node.ts'
import { invalidResponse } from './decode.ts'
import { findMeaning } from './meanings.ts'

/** `ErrKeyNotFound` of the SDK's root codespace; the SDK maps gRPC's NotFound to it. */
const KEY_NOT_FOUND = 22

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

const readProof = ({ proof }: comet38.AbciQueryResponse): ProofOp[] | undefined =>
  proof?.ops.map(({ type, key, data }) => ({ type, key: base64(key), data: base64(data) }))

/** The node, or a gateway before it, does not have this query. */
export const isUnknownQuery = (answer: AbciAnswer): boolean =>
  answer.kind === 'refused' && findMeaning(answer.log) === 'unsupported'

/** Throws a retryable `RPC_REFUSED` if the node has not reached `height` yet. */
export const readAbciAnswer = (
  answer: comet38.AbciQueryResponse,
  { height, prove }: Pick<AbciRequest, 'height' | 'prove'>,
): AbciAnswer => {
  const { code = 0, codespace, height: answered = 0 } = answer
  const log = answer.log ?? ''
  if (code === 0) {
    if (height > 0 && answered > 0 && answered !== height) {
      throw invalidResponse(`asked for the state of height ${height}, got height ${answered}`)
    }
    const { buffer, byteOffset, byteLength } = answer.value
    const proofOps = prove && readProof(answer)
    const value = Buffer.from(buffer, byteOffset, byteLength)
    return { kind: 'value', value, ...(proofOps ? { proofOps } : {}) }
  }
  const meaning = findMeaning(log, height)
  if (meaning === 'not_yet') throw new AppError('RPC_REFUSED', log, { retryable: true })
  if (meaning === 'pruned') return { kind: 'pruned', log }
  if (code === KEY_NOT_FOUND && (codespace === 'sdk' || codespace === '')) {
    return { kind: 'not_found', log }
  }
  return { kind: 'refused', code, codespace, log }
}

type Call = (method: string, params: Record<string, unknown>) => Promise<object>

export type CometClient = {
  /** Throws `RPC_INVALID_RESPONSE` if the response cannot be decoded, and every error of `call`. */
  abciQuery(request: AbciRequest): Promise<AbciAnswer>
}

/**
 * Uses the CometBFT client of cosmjs over the transport of Rollcall, which assigns request IDs, limits and deadlines: it encodes
 * `abci_query` and checks the response. Its other decoders are not used: they refuse valid responses of newer nodes, such as a
 * status with an unknown type of validator key.
 */
export function createCometClient(call: Call): CometClient {
  const client = Comet38Client.create({
    execute: async ({ jsonrpc, id, method, params }) => ({
      jsonrpc,
      id,
      result: await call(method, { ...params }),
    }),
    disconnect: () => {},
  })
  return {
    abciQuery: async (request) => {
      const answer = await client.abciQuery(request).catch((error: unknown) => {
        throw error instanceof AppError
          ? error
          : invalidResponse('the response could not be decoded', error)
      })
      return readAbciAnswer(answer, request)
    },
  }
}
