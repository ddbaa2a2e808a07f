// The timeline of a proposal: past and upcoming steps.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { timestamp } from '../document/html/inline.ts'
import { statusName } from '../proposal-status.ts'
import type { PageData } from '../resources/page-data.ts'
import { endsIn } from './time-left.ts'

type Detail = PageData['proposal']
type Step = { name: string; time: string | null; note?: Html | undefined; isOver: boolean }

const isBefore = (time: string | null, now: string): boolean =>
  time !== null && Date.parse(time) <= Date.parse(now)

const toSteps = (proposal: Detail, at: PageContext): Step[] => {
  const { status, submitTime, depositEndTime, votingStartTime, votingEndTime, asOf } = proposal
  const { closedTime, submittedAt } = proposal
  const now = asOf.time
  const isClosed = status !== 'deposit_period' && status !== 'voting_period'
  const step = (name: string, time: string | null, note?: Html): Step => ({
    name,
    time,
    note,
    isOver: isBefore(time, now),
  })
  const until = (time: string | null, isRunning: boolean) =>
    isRunning && time !== null ? html`ends ${endsIn(time, now, at)}` : undefined
  const height = submittedAt ? html`block ${submittedAt.height}` : undefined
  const steps = [step('Submitted', submitTime, height)]
  if (votingStartTime === null) {
    const note = until(depositEndTime, status === 'deposit_period')
    steps.push(step('Deposit period ends', depositEndTime, note))
  } else {
    steps.push(step('Voting started', votingStartTime))
    const note = until(votingEndTime, status === 'voting_period')
    steps.push(step(isClosed ? 'Voting ended' : 'Voting ends', votingEndTime, note))
  }
  // A canceled proposal did not reach its planned end.
  const happened = steps.filter(({ isOver, time }) => !isClosed || isOver || time === null)
  if (isClosed) happened.push({ name: statusName(status), time: closedTime, isOver: true })
  return happened
}

const stepItem = ({ name, time, note, isOver }: Step): Html => {
  const isAhead = !isOver && time !== null && html`<span class="hidden">, upcoming</span>`
  return html`<li class="step ${isOver ? 'over' : 'ahead'}"><strong>${name}</strong>${isAhead}\
<br>${timestamp(time)}${note && html`<br><span class="soft">${note}</span>`}</li>`
}

export const timeline = (proposal: Detail, at: PageContext): Html =>
  html`<ol class="timeline">${toSteps(proposal, at).map(stepItem)}</ol>`
