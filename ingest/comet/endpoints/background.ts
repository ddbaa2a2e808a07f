// Reads from one endpoint alone, behind all other calls to it. What fails here says nothing about the endpoint: old heights are slow, and
// it may not have them.
import type { AppError } from '../../../infra/base/runtime/errors.ts'
import { isNotYet } from '../transport/rpc.ts'
import { createCometClient } from './comet-client.ts'
import { asAppError, type Endpoint } from './endpoint.ts'

/** Errors that tell what the endpoint has, which pace it grants, and which chain it serves. */
const saysSomething = (error: AppError): boolean =>
  error.code === 'HEIGHT_UNAVAILABLE' ||
  error.code === 'RPC_LIMITED' ||
  error.code === 'CHAIN_MISMATCH' ||
  isNotYet(error)

/** The same endpoint, for calls that nothing waits for. */
export const inBackground = (endpoint: Endpoint): Endpoint => {
  const call: Endpoint['call'] = (method, params, options) =>
    endpoint.call(method, params, { ...options, isBackground: true })
  return {
    ...endpoint,
    call,
    ask: (method, params, options) =>
      endpoint.ask(method, params, { ...options, isBackground: true }),
    askAll: (method, params, options) =>
      endpoint.askAll(method, params, { ...options, isBackground: true }),
    comet: createCometClient(call),
    succeeded: (request) => {
      if (!endpoint.isCooling()) endpoint.succeeded(request)
    },
    note: (caught, request) => {
      const error = asAppError(caught)
      return saysSomething(error) ? endpoint.note(error, request) : error
    },
  }
}
