// The votes of a validator as a strip of cells, oldest on the left. The table below it has the same votes.

import { type Html, html } from '../../infra/base/html/html.ts'
import { pluralize } from '../in-words.ts'
import { findOption, OPTIONS } from '../options.ts'
import { isOpen } from '../proposal-status.ts'
import type { PoolRecordPage } from '../schemas/pool.ts'
import { BAR_PATTERNS } from './bar.ts'

type Item = PoolRecordPage['items'][number]

const HEIGHT = 28
const CELL = 10
const GAP = 2

/** Floating point is exact enough for pixels. */
const computeHeight = (weight: string): number => Math.round(Number(weight) * HEIGHT * 100) / 100

const voteRects = ({ vote }: Item, x: number): Html[] => {
  let y = 0
  return (vote?.options ?? []).map(({ option, weight }) => {
    const height = computeHeight(weight)
    const fill = findOption(option)?.fill ?? 'abstain'
    const part = html`<rect class="${fill}" x="${x}" y="${y}" width="${CELL}" height="${height}"/>`
    y += height
    return part
  })
}

/** A missed vote counts against the validator; a vote that is still open does not. */
const missedCross = (x: number): Html => html`<path class="missed" d="M${x + 2} 11l6 6m0-6l-6 6"/>`

const cell = (item: Item, n: number): Html => {
  const x = n * (CELL + GAP)
  return html`<rect class="cell" x="${x}" y="0" width="${CELL}" height="${HEIGHT}"/>\
${voteRects(item, x)}${item.vote === null && item.missed && missedCross(x)}`
}

type Count = { label: string; fill: string; count: number }

const NO_VOTE = 'no vote'
const NOT_YET = 'not yet'
const MISSED = 'missed'

/** What the legend counts, besides the options. */
const OTHER_CHOICES = [
  { option: 'split', fill: 'split', label: 'Split vote' },
  { option: MISSED, fill: MISSED, label: 'Missed' },
  { option: NOT_YET, fill: 'none', label: 'Not voted yet' },
  { option: NO_VOTE, fill: 'none', label: 'Did not vote, not counted' },
]

const toChoice = ({ vote, missed, status }: Item): string => {
  const [only, ...others] = vote?.options ?? []
  if (only === undefined) return missed ? MISSED : isOpen({ status }) ? NOT_YET : NO_VOTE
  return others.length > 0 ? 'split' : only.option
}

/** The number of votes by option, such as `Yes` 9. */
const countVotes = (items: readonly Item[]): Count[] => {
  const choices = items.map(toChoice)
  return [...OPTIONS, ...OTHER_CHOICES]
    .map(({ option, fill, label }) => {
      const count = choices.filter((choice) => choice === option).length
      return { label, fill, count }
    })
    .filter(({ count }) => count > 0)
}

const legendKey = (fill: string): Html => {
  const lowerHalf = fill === 'split' && html`<rect class="no" y="5" width="10" height="5"/>`
  const content =
    fill === MISSED
      ? html`<path class="missed" d="M2 2l6 6m0-6l-6 6"/>`
      : html`<rect class="${fill}" width="10" height="10"/>${lowerHalf}`
  return html`<svg class="key" aria-hidden="true" viewBox="0 0 10 10">${content}</svg>`
}

const legendItem = ({ label, fill, count }: Count): Html =>
  html`<span class="strip-count">${legendKey(fill)}${label} <strong>${count}</strong></span> `

const drawing = (items: readonly Item[], label: string): Html => {
  const width = items.length * (CELL + GAP) - GAP + 2
  const height = HEIGHT + 2
  return html`<svg role="img" aria-label="${label}" viewBox="-1 -1 ${width} ${height}" \
width="${width}" height="${height}">
${items.toReversed().map(cell)}
</svg>`
}

/** The number of proposals above the strip is smaller then. */
const roundsNote = (items: readonly Item[]): Html | null => {
  const repeated = items.length - new Set(items.map(({ proposalId }) => proposalId)).size
  if (repeated === 0) return null
  return html`<br><span class="soft">${pluralize(repeated, 'proposal')} here had two rounds of voting. \
Each round has its own mark, and the participation above counts a proposal once.</span>`
}

export const recordStrip = (items: readonly Item[]): Html | null => {
  if (items.length === 0) return null
  const counts = countVotes(items)
  const inWords = counts.map(({ label, count }) => `${label}: ${count}`).join(', ')
  return html`${BAR_PATTERNS}
<figure class="strip">
${drawing(items, `Votes on this page, oldest first. ${inWords}.`)}
<figcaption><span class="soft">Oldest on the left.</span> ${counts.map(legendItem)}\
${roundsNote(items)}</figcaption>
</figure>`
}
