// Uses the CometBFT client of cosmjs over the transport of Rollcall: it encodes `abci_query` and checks the response. Its other
// decoders are not used: they refuse valid responses of newer nodes, such as a status with an unknown type of validator key.
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import { readAbciAnswer } from '../transport/abci-answer.ts'
import { invalidResponse } from '../transport/decode.ts'
import type { AbciAnswer, AbciRequest } from './node.ts'

type Call = (method: string, params: Record<string, unknown>) => Promise<object>

export type CometClient = {
  /** Throws `RPC_INVALID_RESPONSE` if the response cannot be decoded, and every error of `call`. */
  abciQuery(request: AbciRequest): Promise<AbciAnswer>
}

/** The transport assigns request IDs, limits and deadlines; the IDs of the client are not sent. */
export const createCometClient = (call: Call): CometClient => {
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
