// Finds out what answers at an address that does not behave like the RPC of a node.
import { type Exchange, type ExchangeOptions, exchange } from './exchange.ts'
import {
  explainFailure,
  explainResponse,
  explainText,
  isRpcAnswer,
  mayNeedOtherScheme,
  type WrongAddress,
} from './explain-address.ts'

type Options = Pick<ExchangeOptions, 'signal' | 'timeoutMs' | 'headers'>

const withOtherScheme = (url: URL): URL => {
  const isHttps = url.protocol === 'https:'
  // A URL drops the default port of its scheme.
  const port = url.port || (isHttps ? '443' : '80')
  const other = new URL(url.href.replace(/^https?:/i, isHttps ? 'http:' : 'https:'))
  other.port = port
  return other
}

/** Undefined if the RPC of a node answers. Sends one or two requests; rejects only with `ABORTED`. */
export const identifyAddress = async (
  address: string,
  options: Options,
): Promise<WrongAddress | undefined> => {
  const wrong = explainText(address)
  if (wrong) return wrong
  const url = new URL(address)
  const found = await exchange(url, options)
  if (isRpcAnswer(found)) return undefined
  if (found.kind === 'response') return explainResponse(found, url)
  // Without the headers: a key must not be sent in plain text.
  const other: Exchange | undefined = mayNeedOtherScheme(found)
    ? await exchange(withOtherScheme(url), { ...options, headers: undefined })
    : undefined
  return explainFailure(found, { isHttps: url.protocol === 'https:', other })
}

/** Undefined if the address may be right. Rejects only with `ABORTED`. */
export const explainWrongAddress = async (
  address: string,
  options: Options,
): Promise<WrongAddress | undefined> => {
  const wrong = await identifyAddress(address, options)
  return wrong?.mayPass ? undefined : wrong
}
