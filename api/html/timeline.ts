// The timeline of a proposal: its past and upcoming steps in a row.
import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { timestamp } from '../document/html/inline.ts'
import { endsIn } from './time-left.ts'

export type Step = {
  name: string
  time: string | null
  isOver: boolean
  height?: number | undefined
  /** True if it ends what happens now, so the time left is shown. */
  isEnd?: boolean
}

type TimelineContext = { now: string; at: PageContext }

const stepItem = (
  { name, time, isOver, height, isEnd = false }: Step,
  { now, at }: TimelineContext,
): Html => {
  const isAhead = !isOver && time !== null && html`<span class="hidden">, upcoming</span>`
  const block = height !== undefined && html`<br><span class="soft">block ${height}</span>`
  const left =
    isEnd && time !== null && html`<br><span class="soft">ends ${endsIn(time, now, at)}</span>`
  return html`<li class="step ${isOver ? 'over' : 'ahead'}"><strong>${name}</strong>${isAhead}\
<br>${timestamp(time)}${block}${left}</li>`
}

export const timeline = (steps: readonly Step[], context: TimelineContext): Html =>
  html`<ol class="timeline">${steps.map((step) => stepItem(step, context))}</ol>`
