// Asks for states with `abci_query`, and maps the responses to their meaning: a value, not found, pruned state, or a refusal.
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { AbciAnswer, AbciRequest } from '../endpoints/node.ts'
import { findMeaning } from './meanings.ts'
import { invalidResponse, list, optionalText, type RpcAbciQuery, readHeight } from './wire.ts'

/** `ErrKeyNotFound` of the SDK's root codespace; the SDK maps gRPC's NotFound to it. */
const KEY_NOT_FOUND = 22

/** The node, or a gateway before it, does not have this query. */
export const isUnknownQuery = (answer: AbciAnswer): boolean =>
  answer.kind === 'refused' && findMeaning(answer.log) === 'unsupported'

/** Node skips characters that are no base64: then bytes are missing. */
function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (bytes.length === (text.length / 4) * 3 - padding) return bytes
  throw invalidResponse('the state is not base64')
}

/** Throws a retryable `RPC_REFUSED` if the node has not reached `height` yet. */
export function readAbciAnswer(
  { response }: RpcAbciQuery,
  { height, prove }: Pick<AbciRequest, 'height' | 'prove'>,
): AbciAnswer {
  if (typeof response !== 'object' || response === null)
    throw invalidResponse('the response has no answer of the application')
  const code = response.code ?? 0
  if (typeof code !== 'number') throw invalidResponse('the code of the answer is not a number')
  const log = optionalText(response.log, 'log')
  if (code === 0) {
    const answered = readHeight(response.height ?? 0, 'the height of the state')
    if (height > 0 && answered > 0 && answered !== height) {
      throw invalidResponse(`asked for the state of height ${height}, got height ${answered}`)
    }
    const value = decodeBase64(optionalText(response.value, 'value'))
    if (!(prove && response.proofOps)) return { kind: 'value', value }
    const proofOps = list(response.proofOps.ops, 'proofOps').map((op) => ({
      type: optionalText(op?.type, 'proofOps.type'),
      key: optionalText(op?.key, 'proofOps.key'),
      data: optionalText(op?.data, 'proofOps.data'),
    }))
    return { kind: 'value', value, proofOps }
  }
  const meaning = findMeaning(log, height)
  if (meaning === 'not_yet') throw new AppError('RPC_REFUSED', log, { retryable: true })
  if (meaning === 'pruned') return { kind: 'pruned', log }
  const codespace = optionalText(response.codespace, 'codespace')
  if (code === KEY_NOT_FOUND && (codespace === 'sdk' || codespace === '')) {
    return { kind: 'not_found', log }
  }
  return { kind: 'refused', code, codespace, log }
}

type Call = <Result extends object>(
  method: string,
  params: Record<string, unknown>,
) => Promise<Result>

/** Throws `RPC_INVALID_RESPONSE` if the response cannot be decoded, and every error of `call`. */
export async function queryAbci(call: Call, request: AbciRequest): Promise<AbciAnswer> {
  const { path, data, height, prove = false } = request
  const hex = Buffer.from(data).toString('hex')
  const params = { path, data: hex, height: `${height}`, prove }
  return readAbciAnswer(await call<RpcAbciQuery>('abci_query', params), request)
}
