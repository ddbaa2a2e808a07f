// Fetches a small JSON document from a trusted URL whose name a foreign DNS server resolves.
// Uses TLS, public addresses only, no redirects, and limits of time and size. It connects to the address that was checked.
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { withDeadline } from '../../infra/base/runtime/retry.ts'

export type GuardedFetchOptions = {
  /** For tests: plain http too, but only to the loopback address. */
  allowLoopback: boolean
  /** A URL in the network of the operator: any address, with or without TLS. */
  allowPrivate?: boolean
  timeoutMs?: number
  maxBytes?: number
  lookup?: typeof systemLookup
}

const TIMEOUT_MS = 3_000
const MAX_BYTES = 64 * 1024

/** Addresses outside the public internet: RFC 6890 and its successors. */
const FORBIDDEN_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Global unicast is 2000::/3, except Teredo, documentation and 6to4. */
const ALLOWED_6 = '2000::/3'
const FORBIDDEN_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const createBlockList = (ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  return list
}

const forbidden4 = createBlockList(FORBIDDEN_4, 'ipv4')
const allowed6 = createBlockList([ALLOWED_6], 'ipv6')
const forbidden6 = createBlockList(FORBIDDEN_6, 'ipv6')
const loopback = createBlockList(['127.0.0.0/8'], 'ipv4')

export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address)
  if (family === 4) return !forbidden4.check(address, 'ipv4')
  return family === 6 && allowed6.check(address, 'ipv6') && !forbidden6.check(address, 'ipv6')
}

const isLoopback = (address: string): boolean =>
  isIP(address) === 4 ? loopback.check(address, 'ipv4') : address === '::1'

/** The document was refused, by this file or by the server. */
class FetchRefusal extends Error {
  readonly isPermanent: boolean

  constructor(reason: string, isPermanent: boolean) {
    super(`not fetched: ${reason}`)
    this.isPermanent = isPermanent
  }
}

const refuse = (reason: string): FetchRefusal => new FetchRefusal(reason, true)

/** True if the same request fails until a setting or the server changes. False for an outage. */
export const isPermanentRefusal = (error: unknown): boolean =>
  error instanceof FetchRefusal && error.isPermanent

/** Request Timeout, Too Early and Too Many Requests; every other 3xx and 4xx is permanent. */
const TEMPORARY_STATUSES: readonly number[] = [408, 425, 429]

const refuseStatus = (status: number): FetchRefusal => {
  const isPermanent = status >= 300 && status < 500 && !TEMPORARY_STATUSES.includes(status)
  return new FetchRefusal(`status ${status}`, isPermanent)
}

type MayConnect = (address: string) => boolean

/** Every address of the name must be allowed: a name with one forbidden address is suspicious. */
const guardedLookup =
  (mayConnect: MayConnect, lookup: typeof systemLookup): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { all: true }, (error, found) => {
      const addresses = found as LookupAddress[]
      const [first] = addresses ?? []
      if (error || !first) {
        return callback(error ?? new FetchRefusal('the name has no address', false), '', 0)
      }
      if (!addresses.every(({ address }) => mayConnect(address))) {
        return callback(refuse('the name resolves to an address that is not public'), '', 0)
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

const readBody = async (response: IncomingMessage, maxBytes: number): Promise<unknown> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw refuse(`longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw refuse('the response is not JSON')
  }
}

/** Throws the cause; callers report only that it failed. */
export const guardedFetch = (url: string, options: GuardedFetchOptions): Promise<unknown> => {
  const { allowLoopback, allowPrivate = false } = options
  const { maxBytes = MAX_BYTES, lookup = systemLookup } = options
  const { protocol, hostname, username } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isPlain = protocol !== 'https:'
  const mayConnect: MayConnect = (address) =>
    allowPrivate || (!isPlain && isPublicAddress(address)) || (allowLoopback && isLoopback(address))
  const mayBePlain = protocol === 'http:' && (allowLoopback || allowPrivate)
  return withDeadline(options.timeoutMs ?? TIMEOUT_MS, undefined, async (signal) => {
    if ((isPlain && !mayBePlain) || username !== '') throw refuse('only https is trusted')
    if (isIP(host) !== 0 && !mayConnect(host)) throw refuse('the address is not public')
    const request = (isPlain ? httpRequest : httpsRequest)(url, {
      agent: false,
      signal,
      lookup: guardedLookup(mayConnect, lookup),
      headers: { accept: 'application/json' },
    })
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject).end()
    })
    try {
      if (response.statusCode !== 200) throw refuseStatus(response.statusCode ?? 0)
      return await readBody(response, maxBytes)
    } finally {
      request.destroy()
    }
  })
}
