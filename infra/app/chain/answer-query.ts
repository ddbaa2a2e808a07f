// `abci_query` of a chain: a gRPC path at a height, with the checks and error messages of a real node.
import { type Query, requireMessage } from './queries/query.ts'
import { QueryRefusal, refusePlainly } from './queries/refusal.ts'
import {
  type AbciRequest,
  type AbciResponse,
  FUTURE_HEIGHT,
  toAbciResponse,
} from './served-chain.ts'
import type { StateView } from './state/state-view.ts'

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
