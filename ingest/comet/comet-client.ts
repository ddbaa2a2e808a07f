// CometBFT's client of cosmjs over our transport: it encodes `abci_query` and checks what comes back. Its other decoders are
// not used. They refuse what a newer or an unusual node may say, such as a validator key of an unknown type in a status.
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { AppError } from '../../infra/runtime/errors.ts'
import { readAbciAnswer } from './abci-answer.ts'
import { invalidResponse } from './decode.ts'
import type { AbciAnswer, AbciRequest } from './node.ts'

type Call = (method: string, params: Record<string, unknown>) => Promise<object>

export type CometClient = {
  /** Throws `RPC_GARBAGE` where the answer is none, and whatever `call` throws. */
  abciQuery(request: AbciRequest): Promise<AbciAnswer>
}

/** The transport numbers, bounds and ends the calls; the client's own ids are not sent. */
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
          : invalidResponse('the answer could not be read', error)
      })
      return readAbciAnswer(answer, request)
    },
  }
}
