// Stacked bars as SVG, with a line at the limit of a rule. The text next to a bar has the same numbers.
import type { ComponentChildren } from 'preact'
import { type Fill, OPTIONS, type Sums } from '../words/options.ts'
import { toLength, toShare } from '../words/shares.ts'

type Segment = { fill: Fill; value: bigint }

/** Once a page. Every option but Yes has a texture, so that options differ on paper and without color. */
export function BarPatterns() {
  return (
    <svg class="patterns" width="0" height="0" aria-hidden="true" focusable="false">
      <defs>
        <pattern id="no" width="4" height="4" patternUnits="userSpaceOnUse">
          <rect class="no-ground" width="4" height="4" />
          <circle class="no-dot" cx="1.5" cy="1.5" r="0.9" />
        </pattern>
        <pattern
          id="veto"
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect class="veto-ground" width="5" height="5" />
          <path class="veto-line" d="M1.25 0V5" stroke-width="2.5" />
        </pattern>
        <pattern id="abstain" width="5" height="5" patternUnits="userSpaceOnUse">
          <rect class="abstain-ground" width="5" height="5" />
          <path class="abstain-line" d="M0 1H5" stroke-width="1.25" />
        </pattern>
        {/* Drawn over the fill of an option. The lines run opposite to the veto pattern. */}
        <pattern
          id="overridden"
          width="7"
          height="7"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(-45)"
        >
          <path class="overridden-line" d="M1 0V5" stroke-width="1.25" />
        </pattern>
      </defs>
    </svg>
  )
}

function Segments({ segments, whole }: { segments: readonly Segment[]; whole: bigint }) {
  let from = 0n
  const rects = segments.map(({ fill, value }) => {
    const at = toLength(toShare(from, whole))
    // Ends where the next segment starts, so rounding leaves no gap.
    const to = toLength(toShare(from + value, whole))
    from += value
    const wide = `${(Number.parseFloat(to) - Number.parseFloat(at)).toFixed(2)}%`
    return value !== 0n && <rect x={at} width={wide} height="100%" class={fill} />
  })
  return <>{rects}</>
}

function Line({ x, look, thickness }: { x: string; look: 'halo' | 'mark'; thickness: number }) {
  return <line class={look} x1={x} x2={x} y1="0" y2="100%" stroke-width={thickness} />
}

type BarProps = {
  segments: readonly Segment[]
  whole: bigint
  /** A fraction of the whole. */
  mark?: string | null | undefined
}

/** Hidden from screen readers: the text next to it has the numbers. */
export function Bar({ segments, whole, mark }: BarProps) {
  const at = mark == null ? undefined : toLength(mark)
  return (
    <svg class="bar" aria-hidden="true" focusable="false">
      {whole !== 0n && <Segments segments={segments} whole={whole} />}
      {at && <Line x={at} look="halo" thickness={6} />}
      {at && <Line x={at} look="mark" thickness={2} />}
    </svg>
  )
}

export type RuleProps = {
  id?: string
  name: ComponentChildren
  value: ComponentChildren
  limit: ComponentChildren
  /** Undefined if it is not known. */
  outcome: ComponentChildren
  bar: BarProps
}

/** A value, a bar with its limit, and the limit in words. */
export function RuleBox({ id, name, value, limit, outcome, bar }: RuleProps) {
  return (
    <div class="rule" id={id}>
      <p>
        <span>{name}</span> <strong>{value}</strong>
      </p>
      <Bar {...bar} />
      <p class="small soft">
        {limit}
        {outcome !== undefined && [' · ', <strong>{outcome}</strong>]}
      </p>
    </div>
  )
}

export const allSegments = (sums: Sums): Segment[] =>
  OPTIONS.map(({ fill, sum }) => ({ fill, value: sums[sum] }))

/** The legend key of a segment. */
export function Swatch({ of }: { of: Fill }) {
  return (
    <svg class="key" aria-hidden="true" focusable="false">
      <rect width="100%" height="100%" class={of} />
    </svg>
  )
}
