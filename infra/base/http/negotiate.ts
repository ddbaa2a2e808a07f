// Chooses media types by `Accept` and codings by `Accept-Encoding` (RFC 9110, section 12). Pure.

type Weighted = { name: string; quality: number }

/** The weight `q`: 1 if it is absent, 0 if it is not a number. */
const parseQuality = (parameters: readonly string[]): number => {
  const given = parameters.map((text) => text.trim()).find((text) => /^q=/i.test(text))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return Number.isFinite(quality) ? Math.min(Math.max(quality, 0), 1) : 0
}

/** In lower case. Ignores all parameters except `q`: `text/csv;charset=utf-8` is the same as `text/csv`. */
const parseAccept = (header: string): Weighted[] =>
  header.split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';')
    return { name: name.trim().toLowerCase(), quality: parseQuality(parameters) }
  })

const SPECIFICITY = { exact: 3, subtypes: 2, any: 1, none: 0 } as const

const computeSpecificity = (range: string, offer: string): number => {
  if (range === offer) return SPECIFICITY.exact
  if (range === '*/*') return SPECIFICITY.any
  const isOfType = range.endsWith('/*') && offer.startsWith(range.slice(0, -1))
  return isOfType ? SPECIFICITY.subtypes : SPECIFICITY.none
}

type Match = { quality: number; specificity: number; index: number }

/** The most specific range decides, then the highest weight. */
const findBestMatch = (ranges: readonly Weighted[], offer: string): Match => {
  let best: Match = { quality: 0, specificity: SPECIFICITY.none, index: 0 }
  for (const [index, { name, quality }] of ranges.entries()) {
    const specificity = computeSpecificity(name, offer)
    if (specificity === SPECIFICITY.none || specificity < best.specificity) continue
    const isBetter = specificity > best.specificity || quality > best.quality
    if (isBetter) best = { quality, specificity, index }
  }
  return best
}

const choose = <Offer extends string>(
  header: string,
  offers: readonly Offer[],
): Offer | undefined => {
  const ranges = parseAccept(header)
  const acceptable = offers
    .map((offer) => ({ offer, ...findBestMatch(ranges, offer) }))
    .filter(({ quality }) => quality > 0)
  // At the same weight, exact types precede wildcards, then the order of the client decides.
  acceptable.sort(
    (a, b) => b.quality - a.quality || b.specificity - a.specificity || a.index - b.index,
  )
  return acceptable[0]?.offer
}

/** Returns undefined if the client accepts none of the offers. */
export type Negotiate<Offer> = (accept: string | undefined) => Offer | undefined

/** The first of `offers` is for clients without a preference. */
export const createNegotiation =
  <Offer extends string>(offers: readonly Offer[]): Negotiate<Offer> =>
  (accept) =>
    accept === undefined || accept.trim() === '' ? offers[0] : choose(accept, offers)

const parseQualities = (header: string): ReadonlyMap<string, number> =>
  new Map(parseAccept(header).map(({ name, quality }) => [name, quality]))

const parseTypeName = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase()

/** True if `Accept` lists `other` with at least the weight of `usual`. Wildcards are ignored. */
export const prefersOther = (
  accept = '',
  { usual, other }: { usual: string; other: string },
): boolean => {
  const qualities = parseQualities(accept)
  const quality = qualities.get(parseTypeName(other)) ?? 0
  return quality > 0 && quality >= (qualities.get(parseTypeName(usual)) ?? 0)
}

export type Coding = 'identity' | 'br' | 'gzip'

/** At the same weight: Brotli, then gzip, then none. Without a weight of its own, none is the last choice. */
export const chooseCoding = (header = ''): Coding => {
  const qualities = parseQualities(header)
  const any = qualities.get('*') ?? 0
  const br = qualities.get('br') ?? any
  const gzip = qualities.get('gzip') ?? any
  const identity = qualities.get('identity') ?? 0
  if (br > 0 && br >= Math.max(gzip, identity)) return 'br'
  return gzip > 0 && gzip >= identity ? 'gzip' : 'identity'
}
