// Blocks of which only the header is read: by their bytes, their results have no event with a reader, so they are not parsed. Event types
// and attribute keys are plain text in every version of CometBFT, or base64 in attributes before 0.37.
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { list, type RpcBlockchain, readHeight, text } from '../transport/wire.ts'
import type { HeightRange } from './block.ts'
import { decodeHash, decodeHeader, type HeaderBlock } from './decode-block.ts'

/** Limit of CometBFT for one response of `/blockchain`. */
export const MAX_HEADERS = 20

/** The range has no height that the node has. The second number is the lower one of its latest height and the end of the range. */
const NO_RANGE = /min height \d+ can't be greater than max height (\d+)/

/**
 * The headers that the endpoint has of at most `MAX_HEADERS` heights, in order, and its latest height. An endpoint without `/blockchain`
 * refuses it.
 */
export async function findHeaders(
  endpoint: Pick<Endpoint, 'call'>,
  { from, to }: HeightRange,
  chainId: string,
): Promise<{ headers: HeaderBlock[]; latestHeight: number }> {
  const params = { minHeight: String(from), maxHeight: String(to) }
  const found = await endpoint
    .call<RpcBlockchain>('blockchain', params)
    .catch((error: unknown): RpcBlockchain => {
      const last_height = error instanceof AppError ? NO_RANGE.exec(error.message)?.[1] : undefined
      if (last_height === undefined) throw error
      if (Number(last_height) < to) return { last_height }
      throw new AppError('HEIGHT_UNAVAILABLE', (error as AppError).message, { cause: error })
    })
  const headers: HeaderBlock[] = []
  // Newest first.
  for (const meta of list(found.block_metas, 'block_metas').toReversed()) {
    const height = from + headers.length
    const lowest = readHeight(meta?.header?.height, 'header.height')
    if (lowest > height && headers.length === 0)
      throw new AppError('HEIGHT_UNAVAILABLE', `the lowest height is ${lowest}`)
    const hash = decodeHash(text(meta?.block_id?.hash, 'block_id.hash'))
    headers.push(decodeHeader(meta?.header, { chainId, height, hash }))
  }
  return {
    headers,
    latestHeight: readHeight(found.last_height ?? from + headers.length - 1, 'last_height'),
  }
}

/** As nodes write it: other texts are parsed. */
const START = /^\{"jsonrpc":"2\.0","id":\d+,"result":\{"height":"(\d+)",/
const START_BYTES = 96
const END = /\}\s*\}\s*$/
const END_BYTES = 16
const TYPE = Buffer.from('"type":"')
const ESCAPE = Buffer.from('\\u00')
const WORD = /^[0-9A-Za-z_]$/
const QUOTE = 0x22

function hasType(text: Buffer): boolean {
  for (let at = text.indexOf(TYPE); at !== -1; at = text.indexOf(TYPE, at + TYPE.length)) {
    if (text[at + TYPE.length] !== QUOTE) return true
  }
  return false
}

/** Go escapes punctuation alone. An escaped letter could hide a type. */
function hasEscapedWord(text: Buffer): boolean {
  for (let at = text.indexOf(ESCAPE); at !== -1; at = text.indexOf(ESCAPE, at + ESCAPE.length)) {
    const code = Number.parseInt(text.toString('latin1', at + 4, at + 6), 16)
    if (WORD.test(String.fromCharCode(code))) return true
  }
  return false
}

/** False also for a text that is not written as usual. `text`: the response to `block_results`. */
export function isQuiet(text: Buffer, height: number, needles: readonly Buffer[]): boolean {
  if (START.exec(text.toString('latin1', 0, START_BYTES))?.[1] !== String(height)) return false
  if (!END.test(text.toString('latin1', Math.max(0, text.length - END_BYTES)))) return false
  // Without a type, the results have no events, or are in a wrong format.
  if (!hasType(text)) return false
  return !(needles.some((needle) => text.includes(needle)) || hasEscapedWord(text))
}
