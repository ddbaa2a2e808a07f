// Calls, replies and errors of the RPC, without transport.

/** `params` by name: values from JSON, or text from a URI. */
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
export const invalidParams = (reason: string): RpcFault =>
  new RpcFault(-32602, 'Invalid params', `error converting json params to arguments: ${reason}`)

/** `text` is a recorded result, which is sent unchanged. */
export type Reply = { result: unknown } | { text: string } | { error: RpcFault }

/** The result of a reply that has one. */
// biome-ignore lint/suspicious/noExplicitAny: recorded or written JSON; a few of its members are read
export function readResult(reply: Reply): any {
  if ('error' in reply) throw reply.error
  return 'text' in reply ? JSON.parse(reply.text) : reply.result
}

export type Responder = (call: RpcCall) => Promise<Reply>

const GO_ESCAPES = new Map(
  ['<', '>', '&', '\u2028', '\u2029'].map((character) => [
    character,
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ]),
)

/** JSON as Go writes it: safe inside HTML. Recorded texts already have this form. */
export const toGoJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (found) => GO_ESCAPES.get(found) ?? found)

const toErrorText = (id: unknown, { code, message, data }: RpcFault): string => {
  const error = data === undefined ? { code, message } : { code, message, data }
  return toGoJson(id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error })
}

/** The text of a JSON-RPC response. */
export const toResponseText = (id: unknown, reply: Reply): string => {
  if ('error' in reply) return toErrorText(id, reply.error)
  const result = 'text' in reply ? reply.text : toGoJson(reply.result)
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}
