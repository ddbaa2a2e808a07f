// Calls, replies and errors of the RPC, without transport.

export type RpcCall = {
  id: unknown
  method: string
  params: Readonly<Record<string, unknown>>
}

export class RpcFault extends Error {
  override readonly name = 'RpcFault'
  readonly code: number
  readonly data: string | undefined
  constructor(code: number, message: string, data?: string) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const internalError = (data: string): RpcFault =>
  new RpcFault(-32603, 'Internal error', data)

export type Reply = { result: unknown } | { error: RpcFault }

export type Responder = (call: RpcCall) => Promise<Reply>

/** The text of a JSON-RPC response. */
export const toResponseText = (id: unknown, reply: Reply): string => {
  if ('result' in reply) return JSON.stringify({ jsonrpc: '2.0', id, result: reply.result })
  const { code, message, data } = reply.error
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })
}
