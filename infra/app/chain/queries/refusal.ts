// Errors of a query, with the codes and messages of a real chain.

const CODES = {
  unknown: { code: 6, words: 'unknown request', status: 'Unknown' },
  internal: { code: 6, words: 'unknown request', status: 'Internal' },
  invalid: { code: 18, words: 'invalid request', status: 'InvalidArgument' },
  missing: { code: 22, words: 'key not found', status: 'NotFound' },
  height: { code: 26, words: 'invalid height', status: '' },
} as const
export type RefusalKind = keyof typeof CODES

export class QueryRefusal extends Error {
  override readonly name = 'QueryRefusal'
  readonly code: number
  readonly codespace: string
  constructor(code: number, log: string, codespace = 'sdk') {
    super(log)
    this.code = code
    this.codespace = codespace
  }
}

/** An error of a gRPC query handler. */
export function refuse(kind: RefusalKind, description: string): never {
  const { code, words, status } = CODES[kind]
  throw new QueryRefusal(code, `rpc error: code = ${status} desc = ${description}: ${words}`)
}

/** An error from outside a handler, without a gRPC status. */
export function refusePlainly(kind: RefusalKind, description: string): never {
  const { code, words } = CODES[kind]
  throw new QueryRefusal(code, `${description}: ${words}`)
}
