// Which of the media types on offer a client wants most: `Accept` as RFC 9110, 12.5.1 has it. Pure.
import { parseQuality } from './coding.ts'

type MediaRange = { type: string; quality: number }

/** Parameters but `q` are let go: `text/csv;charset=utf-8` wants what `text/csv` wants. */
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

/** The most specific range decides; of equal ones that which wants it more. */
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
  // What is wanted as much: rather what was named than what a wildcard lets pass, then the client's own order.
  acceptable.sort(
    (a, b) => b.quality - a.quality || b.specificity - a.specificity || a.index - b.index,
  )
  return acceptable[0]?.offer
}

/** Undefined where the client takes none of them. */
export type Negotiate<Offer> = (accept: string | undefined) => Offer | undefined

/** `offers` in the order in which whoever has no preference gets them. */
export const createNegotiation =
  <Offer extends string>(offers: readonly Offer[]): Negotiate<Offer> =>
  (accept) =>
    accept === undefined || accept.trim() === '' ? offers[0] : choose(accept, offers)
