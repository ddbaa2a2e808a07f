// The votes of a validator as a strip of cells, oldest on the left. The table below it has the same votes.
import { type Html, html } from '../../infra/html/html.ts'
import type { PageData } from '../resources/page-data.ts'
import { BAR_PATTERNS } from './bar.ts'
import { findOption, OPTIONS } from './options.ts'

type Item = PageData['pool']['items'][number]

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

const cell = (item: Item, n: number): Html => {
  const x = n * (CELL + GAP)
  return html`<rect class="cell" x="${x}" y="0" width="${CELL}" height="${HEIGHT}"/>\
${voteRects(item, x)}`
}

type Count = { label: string; fill: string; count: number }

const NO_VOTE = 'no vote'

/** What the legend counts, besides the options. */
const OTHER_CHOICES = [
  { option: 'split', fill: 'split', label: 'Split vote' },
  { option: NO_VOTE, fill: 'none', label: 'Did not vote' },
]

const toChoice = ({ vote }: Item): string => {
  const [only, ...others] = vote?.options ?? []
  if (only === undefined) return NO_VOTE
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
  return html`<svg class="key" aria-hidden="true" viewBox="0 0 10 10">\
<rect class="${fill}" width="10" height="10"/>${lowerHalf}</svg>`
}

const legendItem = ({ label, fill, count }: Count): Html =>
  html`<span class="legend">${legendKey(fill)}${label} <strong>${count}</strong></span> `

const drawing = (items: readonly Item[], label: string): Html => {
  const width = items.length * (CELL + GAP) - GAP + 2
  const height = HEIGHT + 2
  return html`<svg role="img" aria-label="${label}" viewBox="-1 -1 ${width} ${height}" \
width="${width}" height="${height}">
${items.toReversed().map(cell)}
</svg>`
}

export const recordStrip = (items: readonly Item[]): Html | null => {
  if (items.length === 0) return null
  const counts = countVotes(items)
  const inWords = counts.map(({ label, count }) => `${label}: ${count}`).join(', ')
  return html`${BAR_PATTERNS}
<figure class="strip">
${drawing(items, `Votes on this page, oldest first. ${inWords}.`)}
<figcaption><span class="soft">Oldest on the left.</span> ${counts.map(legendItem)}</figcaption>
</figure>`
}
