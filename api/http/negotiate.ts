// Chooses the media type that `Accept` prefers (RFC 9110, 12.5.1). Pure.
import { parseQuality } from './coding.ts'

type MediaRange = { type: string; quality: number }

/** Ignores all parameters except `q`: `text/csv;charset=utf-8` is the same as `text/csv`. */
const parseRange = (text: string): MediaRange => {
  const [type = '', ...parameters] = text.split(';')
  return { type: type.trim().toLowerCase(), quality: parseQuality(parameters) }
}

const SPECIFICITY = { exact: 3, subtypes: 2, any: 1, none: 0 } as const

const computeSpecificity = (range: string, offer: string): number => {
  if (range === offer) return SPECIFICITY.exact
  if (range === '*/*') return SPECIFICITY.any
  const isOfType = range.endsWith('/*') && offer.startsWith(range.slice(0, -1))
  return isOfType ? SPECIFICITY.subtypes : SPECIFICITY.none
}

type Match = { quality: number; specificity: number; index: number }

/** The most specific range decides, then the highest weight. */
const findBestMatch = (ranges: readonly MediaRange[], offer: string): Match => {
  let best: Match = { quality: 0, specificity: SPECIFICITY.none, index: 0 }
  for (const [index, { type, quality }] of ranges.entries()) {
    const specificity = computeSpecificity(type, offer)
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
  const ranges = header.split(',').map(parseRange)
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
