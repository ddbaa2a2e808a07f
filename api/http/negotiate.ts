// Chooses the media type that `Accept` prefers (RFC 9110, 12.5.1). Pure.
import { parseAccept, type Weighted } from './accept.ts'

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
