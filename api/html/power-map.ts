// The power map of a vote: a treemap with a rectangle per validator, sized by voting power and filled by vote.

import { type Html, html } from '../../infra/base/html/html.ts'
import { formatHundredths } from '../display-unit.ts'
import type { PageContext } from '../document/context.ts'
import { amountText, link, toHref, untrustedText } from '../document/html/inline.ts'
import { poolPath } from '../document/paths.ts'
import { pluralize } from '../in-words.ts'
import { OPTIONS, type Fill as OptionFill } from '../options.ts'
import { plainLine } from '../plain-text.ts'
import type { SplitPower } from '../read/queries/power-map.ts'
import type { ProposalPageData } from '../resources/proposal-page.ts'
import { shareText, shareTexts } from '../shares.ts'
import { swatch } from './bar.ts'
import { type Box, sliceBox, treemap } from './treemap.ts'

type PowerMap = NonNullable<ProposalPageData['extras']['powerMap']>
type Fill = OptionFill | 'non-voting'
type Part = { fill: Fill; power: bigint; isOverridden: boolean }
type Group = Fill | 'split' | 'delegators' | 'others'
/** Without a page, it stands for several validators. */
type Cell = { name: string; path?: string; group: Group; parts: Part[]; power: bigint }

const NAMES: Readonly<Record<Group, string>> = {
  yes: 'Yes',
  no: 'No',
  veto: 'No with veto',
  abstain: 'Abstain',
  'non-voting': 'Did not vote',
  split: 'Split vote',
  delegators: 'Voted by delegators',
  others: 'Others',
}

const optionParts = (sums: SplitPower['own'], isOverridden: boolean): Part[] =>
  OPTIONS.map(({ sum, fill }) => ({ fill, power: BigInt(sums[sum]), isOverridden }))

const toParts = ({ own, delegators, nonVoting }: SplitPower): Part[] => {
  const missing: Part = { fill: 'non-voting', power: BigInt(nonVoting), isOverridden: false }
  const parts = [...optionParts(own, false), missing, ...optionParts(delegators, true)]
  return parts.filter(({ power }) => power > 0n)
}

const sumPower = (parts: readonly { power: bigint }[]): bigint =>
  parts.reduce((sum, { power }) => sum + power, 0n)

const sumOverridden = (parts: readonly Part[]): bigint =>
  sumPower(parts.filter(({ isOverridden }) => isOverridden))

const toGroup = (parts: readonly Part[]): Group => {
  const own = parts.filter(({ isOverridden }) => !isOverridden)
  if (own.length > 1) return 'split'
  // If all its delegators voted themselves, the vote of the validator has no power.
  return own[0]?.fill ?? 'delegators'
}

const toCell = (name: string, split: SplitPower, group?: Group): Cell => {
  const parts = toParts(split)
  return { name, parts, power: sumPower(parts), group: group ?? toGroup(parts) }
}

const toCells = ({ validators, rest }: PowerMap): Cell[] =>
  [
    ...validators.map((validator) => ({
      ...toCell(plainLine(validator.moniker) || validator.operatorAddress, validator),
      path: poolPath(validator.operatorAddress),
    })),
    ...(rest === null ? [] : [toCell(pluralize(rest.count, 'other'), rest, 'others')]),
  ].filter(({ power }) => power > 0n)

const byPower = (one: { power: bigint }, other: { power: bigint }): number =>
  one.power < other.power ? 1 : Number(one.power > other.power) * -1

/** Groups validators with the same vote, by voting power. */
const groupCells = (cells: readonly Cell[]) => {
  const groups = new Map<Group, Cell[]>()
  for (const cell of cells) groups.set(cell.group, [...(groups.get(cell.group) ?? []), cell])
  return [...groups.values()]
    .map((members) => ({ members: members.toSorted(byPower), power: sumPower(members) }))
    .toSorted(byPower)
}

/** Twice as wide as high: a compromise between phones and wide screens. */
const WHOLE: Box = { x: 0n, y: 0n, width: 200_000n, height: 100_000n }

const formatPercent = (length: bigint, whole: bigint): string =>
  `${formatHundredths((length * 10_000n) / whole)}%`

const boxAttributes = ({ x, y, width, height }: Box): Html => {
  const from = { x: formatPercent(x, WHOLE.width), y: formatPercent(y, WHOLE.height) }
  const wide = formatPercent(width, WHOLE.width)
  const high = formatPercent(height, WHOLE.height)
  return html` x="${from.x}" y="${from.y}" width="${wide}" height="${high}"`
}

/** At least one pixel on a wide screen. Smaller parts are not drawn, to save bytes. */
const isVisible = ({ width, height }: Box): boolean =>
  width * 1_000n >= WHOLE.width && height * 400n >= WHOLE.height

/** The vote of the validator first, then the votes of delegators. The first part fills the box, to avoid gaps. */
const filled = (parts: readonly Part[], box: Box): Html[] => {
  const isAcross = box.width >= box.height
  const values = parts.map(({ power }) => power)
  return sliceBox(values, box, isAcross).flatMap((slice, n) => {
    const part = parts[n]
    if (!part || (n > 0 && !isVisible(slice))) return []
    const at = boxAttributes(n === 0 ? box : slice)
    const lines = part.isOverridden && html`<rect class="overridden"${at}/>`
    return [html`<rect class="${part.fill}"${at}/>${lines}`]
  })
}

type MapContext = { whole: bigint; at: PageContext }

const inWords = ({ name, group, parts, power }: Cell, { whole, at }: MapContext): string => {
  const overridden = sumOverridden(parts)
  const vote = group === 'others' ? '' : `${NAMES[group]}, `
  const others = overridden > 0n ? `; ${amountText(`${overridden}`, at)} voted by delegators` : ''
  return `${name}: ${vote}${amountText(`${power}`, at)} (${shareText(power, whole)})${others}`
}

/** The size that a label needs, in percent of the drawing, on a phone and on a wide screen. */
const LABEL_SIZE = { phone: { width: 22n, height: 11n }, wide: { width: 9n, height: 9n } }

const canFit = (box: Box, { width, height }: { width: bigint; height: bigint }): boolean =>
  box.width * 100n >= width * WHOLE.width && box.height * 100n >= height * WHOLE.height

/** A label is clipped at the edge of its rectangle. */
const cellLabel = (cell: Cell, box: Box, { whole }: MapContext): Html => {
  if (!canFit(box, LABEL_SIZE.wide)) return html``
  const labelClass = canFit(box, LABEL_SIZE.phone) ? 'label' : 'label wide'
  const vote = cell.group === 'others' ? '' : `${NAMES[cell.group]} · `
  return html`<svg class="${labelClass} on-${cell.parts[0]?.fill ?? 'non-voting'}"${boxAttributes(box)}>\
<text x="6" y="1.2em">${cell.name}</text>\
<text x="6" y="2.45em">${vote}${shareText(cell.power, whole)}</text></svg>`
}

type DrawnCell = { box: Box; drawn: Html; at: PageContext }

/** The keyboard reaches the rectangles with a label. The others are as well in the tables below. */
const linked = (cell: Cell, { box, drawn, at }: DrawnCell): Html => {
  if (cell.path === undefined) return drawn
  const href = toHref(cell.path, at)
  return canFit(box, LABEL_SIZE.phone)
    ? html`<a href="${href}">${drawn}</a>`
    : html`<a href="${href}" tabindex="-1" aria-hidden="true">${drawn}</a>`
}

const drawnCell = (cell: Cell, box: Box, context: MapContext): Html => {
  const outline = cell.parts.some(({ fill }) => fill === 'non-voting')
    ? 'outline non-voting'
    : 'outline'
  const drawn = html`<g><title>${inWords(cell, context)}</title>${filled(cell.parts, box)}\
<rect class="${outline}"${boxAttributes(box)}/>${cellLabel(cell, box, context)}</g>`
  return html`${linked(cell, { box, drawn, at: context.at })}
`
}

const drawing = (cells: readonly Cell[], context: MapContext): Html[] => {
  const groups = groupCells(cells)
  const powers = groups.map(({ power }) => power)
  return treemap(powers, WHOLE).flatMap((outer, n) => {
    const members = groups[n]?.members ?? []
    const inner = treemap(
      members.map(({ power }) => power),
      outer,
    )
    const drawn = inner.flatMap((box, k) => {
      const cell = members[k]
      return cell ? [drawnCell(cell, box, context)] : []
    })
    return [...drawn, html`<rect class="group"${boxAttributes(outer)}/>`]
  })
}

const FILLS = ['yes', 'no', 'veto', 'abstain', 'non-voting'] as const

/** Each fill with its name and its share of the power. */
const fillShares = (parts: readonly Part[]) => {
  const shares = shareTexts(
    FILLS.map((fill) => sumPower(parts.filter((part) => part.fill === fill))),
  )
  return FILLS.map((fill, n) => ({ fill, label: `${NAMES[fill]} ${shares[n]}` }))
}

const key = (fill: Fill | 'overridden'): Html =>
  fill === 'non-voting' || fill === 'overridden'
    ? html`<svg class="key" aria-hidden="true" focusable="false">\
<rect class="${fill === 'non-voting' ? 'non-voting' : 'yes'}" width="100%" height="100%"/>\
<rect class="${fill}" width="100%" height="100%"/></svg>`
    : swatch(fill)

const overriddenShare = (parts: readonly Part[], whole: bigint): string =>
  `Voted by delegators themselves ${shareText(sumOverridden(parts), whole)}`

const mapLegend = (parts: readonly Part[], whole: bigint): Html => {
  const items = fillShares(parts).map(({ fill, label }) => html`<li>${key(fill)}${label}</li>`)
  return html`<ul class="inline small legend">${items}\
<li>${key('overridden')}${overriddenShare(parts, whole)}</li></ul>`
}

const sharesInWords = (parts: readonly Part[], whole: bigint): string => {
  const labels = fillShares(parts).map(({ label }) => label)
  return `${labels.join(', ')}. ${overriddenShare(parts, whole)}.`
}

const LARGEST = 8

const sortByPower = (cells: readonly Cell[]): Cell[] =>
  cells.filter(({ path }) => path !== undefined).toSorted(byPower)

/** Most rectangles are too small for a name. */
const largestList = (cells: readonly Cell[], { whole, at }: MapContext): Html => {
  const items = sortByPower(cells)
    .slice(0, LARGEST)
    .map(
      ({ path = '', name, group, power }) =>
        html`<li>${link(path, untrustedText(name), at)} ${NAMES[group]}, ${shareText(power, whole)}</li>`,
    )
  return html`<p class="small soft" id="largest">The largest:</p>
<ol class="inline small" aria-labelledby="largest">${items}</ol>`
}

const description = (cells: readonly Cell[], context: MapContext): string => {
  const sums = fillShares(cells.flatMap(({ parts }) => parts)).map(({ label }) => label)
  const largest = sortByPower(cells)[0]
  return `${sums.join(', ')}.${largest ? ` Largest: ${inWords(largest, context)}.` : ''}`
}

const EXPLAINED = html`<p class="small soft">Each rectangle is a validator. \
Its area is its voting power, filled as the validator voted. \
Striped areas are the power of delegators who voted themselves, in the color of their votes.</p>`

/** The drawing with its legend, and the shares of the options in words; null if no voting power is known. */
export const powerMap = (
  data: PowerMap | null,
  at: PageContext,
): { drawn: Html; shares: string } | null => {
  const cells = data ? toCells(data) : []
  if (cells.length === 0) return null
  const context = { whole: sumPower(cells), at }
  const parts = cells.flatMap((cell) => cell.parts)
  const drawn = html`${EXPLAINED}
<figure class="power-map">
<svg role="group" aria-labelledby="power-map-name power-map-description">\
<title id="power-map-name">Voting power by validator and vote</title>\
<desc id="power-map-description">${description(cells, context)}</desc>
${drawing(cells, context)}</svg>
<figcaption>${mapLegend(parts, context.whole)}${largestList(cells, context)}</figcaption></figure>`
  return { drawn, shares: sharesInWords(parts, context.whole) }
}
