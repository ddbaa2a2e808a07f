// Stacked bars as SVG, with a line at the limit of a rule. The text next to a bar has the same numbers.
import { type Html, html } from '../../infra/base/html/html.ts'
import { type Fill, OPTIONS } from '../options.ts'
import type { Sums } from '../read/queries/outcome.ts'
import { part, width } from '../shares.ts'

type Segment = { fill: Fill; value: bigint }

/** Every option but Yes has a texture, so that options differ on paper and without color. */
const OPTION_PATTERNS = html`<pattern id="no" width="4" height="4" patternUnits="userSpaceOnUse">\
<rect class="no-ground" width="4" height="4"/><circle class="no-dot" cx="1.5" cy="1.5" r="0.9"/></pattern>\
<pattern id="veto" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
<rect class="veto-ground" width="5" height="5"/>\
<path class="veto-line" d="M1.25 0V5" stroke-width="2.5"/></pattern>\
<pattern id="abstain" width="5" height="5" patternUnits="userSpaceOnUse">\
<rect class="abstain-ground" width="5" height="5"/>\
<path class="abstain-line" d="M0 1H5" stroke-width="1.25"/></pattern>`

/** Drawn over the fill of an option. The lines run opposite to the veto pattern. */
const OVERRIDDEN_PATTERN = html`<pattern id="overridden" width="7" height="7" \
patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">\
<path class="overridden-line" d="M1 0V5" stroke-width="1.25"/></pattern>`

/** Included once per page. */
export const BAR_PATTERNS: Html = html`<svg class="patterns" width="0" height="0" \
aria-hidden="true" focusable="false"><defs>${OPTION_PATTERNS}${OVERRIDDEN_PATTERN}</defs></svg>`

const segmentRects = (segments: readonly Segment[], whole: bigint): Html[] => {
  let from = 0n
  return segments.map(({ fill, value }) => {
    const at = width(part(from, whole))
    // Ends where the next segment starts, so rounding leaves no gap.
    const to = width(part(from + value, whole))
    from += value
    const wide = `${(Number.parseFloat(to) - Number.parseFloat(at)).toFixed(2)}%`
    if (value === 0n) return html``
    return html`<rect x="${at}" width="${wide}" height="100%" class="${fill}"/>`
  })
}

const lineAt = (x: string, className: 'halo' | 'mark', thickness: number): Html =>
  html`<line class="${className}" x1="${x}" x2="${x}" y1="0" y2="100%" stroke-width="${thickness}"/>`

/** `mark` is a fraction of the whole. Hidden from screen readers: the text next to it has the numbers. */
export const bar = (
  segments: readonly Segment[],
  { whole, mark }: { whole: bigint; mark?: string | null | undefined },
): Html => {
  const at = mark == null ? undefined : width(mark)
  const drawn = whole === 0n ? null : segmentRects(segments, whole)
  const lines = at && [lineAt(at, 'halo', 6), lineAt(at, 'mark', 2)]
  return html`<svg class="bar" aria-hidden="true" focusable="false">${drawn}${lines}</svg>`
}

export const allSegments = (sums: Sums): Segment[] =>
  OPTIONS.map(({ fill, sum }) => ({ fill, value: sums[sum] }))

/** The legend key of a segment. */
export const swatch = (fill: Fill): Html =>
  html`<svg class="key" aria-hidden="true" focusable="false">\
<rect width="100%" height="100%" class="${fill}"/></svg>`
