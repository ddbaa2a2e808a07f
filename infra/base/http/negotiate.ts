// Chooses media types by `Accept` and codings by `Accept-Encoding` (RFC 9110, section 12). Pure, apart from what it remembers.
import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import { Negotiator } from 'negotiator'

/** Clients send few values, but each request has them. Longer or further ones are parsed each time. */
const MAX_REMEMBERED = 200
const MAX_REMEMBERED_LENGTH = 200

const remember = <Result>(
  choose: (header: string) => Result | undefined,
): ((header: string) => Result | undefined) => {
  const known = new LRUCache<string, { result: Result | undefined }>({ max: MAX_REMEMBERED })
  return (header) => {
    const found = known.get(header)
    if (found) return found.result
    const result = choose(header)
    if (header.length <= MAX_REMEMBERED_LENGTH) known.set(header, { result })
    return result
  }
}

const isQuality = (parameter: string): boolean => /^\s*q=/i.test(parameter)

/** Without parameters except `q`, which the library compares: `text/csv;charset=utf-8` is the same as `text/csv`. */
const stripParameters = (accept: string): string =>
  accept
    .split(',')
    .map((range) => {
      const [name = '', ...parameters] = range.split(';')
      return [name.trim(), ...parameters.filter(isQuality)].join(';')
    })
    .join(',')

/** Returns undefined if the client accepts none of the offers. */
export type Negotiate<Offer> = (accept: string | undefined) => Offer | undefined

/**
 * The first of `offers` is for clients without a preference. At the same weight, exact types precede wildcards, then the order
 * of the client decides.
 */
export const createNegotiation = <Offer extends string>(
  offers: readonly Offer[],
): Negotiate<Offer> => {
  const choose = remember((accept) => {
    const request = { headers: { accept: stripParameters(accept) } }
    const chosen = new Negotiator(request).mediaType(offers)
    return offers.find((offer) => offer === chosen)
  })
  return (accept) => (accept === undefined || accept.trim() === '' ? offers[0] : choose(accept))
}

const CODINGS = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof CODINGS)[number]

const chooseOffered = (header: string, offers: readonly Coding[]): Coding | undefined => {
  const request = { headers: { 'accept-encoding': header } }
  const chosen = new Negotiator(request).encoding(offers, { preferred: CODINGS })
  return offers.find((offer) => offer === chosen)
}

const chooseAny = remember((header) => chooseOffered(header, CODINGS))
const chooseIdentity = remember((header) => chooseOffered(header, ['identity']))

/** At the same weight: Brotli, then gzip, then none. A client that accepts no coding at all gets the plain body. */
export const chooseCoding = (header = ''): Coding => chooseAny(header) ?? 'identity'

export const acceptsIdentity = (header = ''): boolean => chooseIdentity(header) !== undefined

/** Both are included. */
export type ByteRange = { start: number; end: number }

/** A last byte past the end is allowed: 15 digits are exact numbers. */
const RANGE = /^bytes=\s*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))\s*$/i

/**
 * Undefined for the whole file: without a range, for several or malformed ones, and for one of another version of the file.
 * `none` if the file has none of these bytes.
 */
export function findRange(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  { etag, size }: { etag: string; size: number },
): ByteRange | 'none' | undefined {
  const [isRange, first, last, suffix] = RANGE.exec(range ?? '') ?? []
  if (isRange === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size)
    return length === 0 ? 'none' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'none' : { start, end }
}
