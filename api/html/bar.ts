// Bars as drawings: segments one after the other, a line where a rule draws one. What they show is told in words beside.
import { type Html, html } from '../../infra/html/html.ts'
import { part, type Sums, width } from './shares.ts'

export type Segment = { look: 'yes' | 'no' | 'veto' | 'abstain'; some: bigint }

/** Hatched: told apart without colour. One for the page. */
export const BAR_PATTERNS: Html = html`<svg class="patterns" width="0" height="0" aria-hidden="true" focusable="false"><defs><pattern id="veto" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="veto-ground" width="5" height="5"/><path class="veto-line" d="M1.25 0V5" stroke-width="2.5"/></pattern></defs></svg>`

const segmentsOf = (segments: readonly Segment[], whole: bigint): Html[] => {
  let from = 0n
  return segments.map(({ look, some }) => {
    const at = width(part(from, whole))
    // Cut where the next begins, so that roundings leave no gap.
    const to = width(part(from + some, whole))
    from += some
    const wide = `${(Number.parseFloat(to) - Number.parseFloat(at)).toFixed(2)}%`
    if (some === 0n) return html``
    const fill = look === 'veto' ? html` fill="url(#veto)"` : html` class="${look}"`
    return html`<rect x="${at}" width="${wide}" height="100%"${fill}/>`
  })
}

/** `mark` is a rate of the whole. Hidden from who cannot see it: the numbers stand beside. */
export const bar = (
  segments: readonly Segment[],
  { whole, mark }: { whole: bigint; mark?: string | null | undefined },
): Html => {
  const at = mark == null ? undefined : width(mark)
  const line =
    at &&
    html`<line class="halo" x1="${at}" x2="${at}" y1="0" y2="100%" stroke-width="6"/><line class="mark" x1="${at}" x2="${at}" y1="0" y2="100%" stroke-width="2"/>`
  return html`<svg class="bar" aria-hidden="true" focusable="false">${whole === 0n ? null : segmentsOf(segments, whole)}${line}</svg>`
}

export const allSegments = ({ yes, no, noWithVeto, abstain }: Sums): Segment[] => [
  { look: 'yes', some: yes },
  { look: 'no', some: no },
  { look: 'veto', some: noWithVeto },
  { look: 'abstain', some: abstain },
]

/** A swatch that says which segment is meant. */
export const swatch = (look: Segment['look']): Html => {
  const fill = look === 'veto' ? html` fill="url(#veto)"` : html` class="${look}"`
  return html`<svg class="key" aria-hidden="true" focusable="false"><rect width="100%" height="100%"${fill}/></svg>`
}
