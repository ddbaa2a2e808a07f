// `abci_query` of a chain: a gRPC path at a height, from the bytes of a request to the bytes of its response, with the checks and error
// messages of a real node.
import { fromBech32 } from '@cosmjs/encoding'
import type { ProofOp } from '../../../ingest/contract/proof-events.ts'
import { readFields } from './raw-message.ts'
import type { StateView } from './state.ts'

/** Why a state after the tip is refused, in the words of the Cosmos SDK. */
export const FUTURE_HEIGHT = 'cannot query with height in the future; please provide a valid height'

/** `height` 0 is the tip. It may be in the future: the chain refuses it, as its application does. */
export type AbciRequest = { path: string; data: Uint8Array; height: bigint; prove: boolean }

/** As in the JSON of the RPC; `key` and `value` are base64. */
export type AbciResponse = {
  code: number
  log: string
  info: string
  index: string
  key: string | null
  value: string | null
  proofOps: { ops: readonly ProofOp[] } | null
  height: string
  codespace: string
}

export const toAbciResponse = (part: Partial<AbciResponse>): AbciResponse => ({
  code: 0,
  log: '',
  info: '',
  index: '0',
  key: null,
  value: null,
  proofOps: null,
  height: '0',
  codespace: '',
  ...part,
})

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

/** Throws `QueryRefusal`. */
export type Query<View = StateView> = (data: Uint8Array, state: View) => Uint8Array
export type Queries = Readonly<Record<string, Query>>

type RequestType<Request> = { decode(bytes: Uint8Array): Request }

/** The decoder of the chain reports no more than this of a truncated request. */
const refuseUnreadable = (error: unknown): never =>
  error instanceof RangeError
    ? refusePlainly('invalid', 'unexpected EOF')
    : refusePlainly('invalid', error instanceof Error ? error.message : String(error))

export function requireMessage(data: Uint8Array): void {
  try {
    readFields(data)
  } catch (error) {
    refuseUnreadable(error)
  }
}

function decodeRequest<Request>(type: RequestType<Request>, data: Uint8Array): Request {
  try {
    return type.decode(data)
  } catch (error) {
    return refuseUnreadable(error)
  }
}

export const createQuery =
  <Request>(
    type: RequestType<Request>,
    answer: (request: Request, state: StateView) => Uint8Array,
  ): Query =>
  (data, state) =>
    answer(decodeRequest(type, data), state)

export function parseAddress(text: string): Uint8Array {
  try {
    return fromBech32(text).data
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return refusePlainly('invalid', `decoding bech32 failed: ${reason}`)
  }
}

export type QueriedChain<View extends StateView = StateView> = {
  tip: number
  /** Up to the tip; undefined if it is deleted. */
  stateAt(height: number): View | undefined
  findQuery(request: AbciRequest): Query<View> | undefined
}

/** Throws any other error than a refusal. */
export function toRefused(error: unknown, height: number): AbciResponse {
  if (!(error instanceof QueryRefusal)) throw error
  const { code, codespace, message: log } = error
  return toAbciResponse({ code, log, codespace, height: `${height}` })
}

/** The height of the state to read. */
export function requireHeight(request: AbciRequest, tip: number): number {
  if (request.height < 0n) {
    refusePlainly('invalid', 'cannot query with height < 0; please provide a valid height')
  }
  if (request.height > BigInt(tip)) {
    refusePlainly('height', FUTURE_HEIGHT)
  }
  if (request.height === 1n && request.prove) {
    refusePlainly(
      'invalid',
      'cannot query with proof when height <= 1; please provide a valid height',
    )
  }
  return request.height === 0n ? tip : Number(request.height)
}

const refuseDeleted = (height: number): never =>
  refusePlainly(
    'invalid',
    `failed to load state at height ${height}; version does not exist (latest height: ${height})`,
  )

export function answerQuery<View extends StateView>(
  request: AbciRequest,
  chain: QueriedChain<View>,
): AbciResponse {
  let height = 0
  try {
    const query = chain.findQuery(request)
    if (!query) return refusePlainly('unknown', 'unknown query path')
    height = requireHeight(request, chain.tip)
    // The key of a store is no message.
    if (!request.path.startsWith('/store/')) requireMessage(request.data)
    const value = query(request.data, chain.stateAt(height) ?? refuseDeleted(height))
    return toAbciResponse({
      value: value.length > 0 ? Buffer.from(value).toString('base64') : null,
      height: String(height),
    })
  } catch (error) {
    return toRefused(error, height)
  }
}
