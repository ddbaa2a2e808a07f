// The power map of a vote: a treemap with a rectangle per validator, sized by voting power and filled by vote.
import {
  type HierarchyRectangularNode,
  hierarchy,
  treemap,
  treemapDice,
  treemapSlice,
  treemapSquarify,
} from 'd3-hierarchy'
import type { ComponentChildren } from 'preact'
import type { SplitPower } from '../read/queries/power-map.ts'
import type { ProposalPageData } from '../resources/proposal-page.ts'
import { pluralize } from '../words/in-words.ts'
import { OPTIONS, type Fill as OptionFill } from '../words/options.ts'
import { shareText, shareTexts } from '../words/shares.ts'
import { plainLine } from '../words/texts.ts'
import { Swatch } from './bar.tsx'
import { amountText, Link, Quoted, toHref } from './parts.tsx'
import type { PageContext } from './paths.ts'
import { poolPath } from './paths.ts'

type PowerMapData = NonNullable<ProposalPageData['extras']['powerMap']>
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

const toCells = ({ validators, rest }: PowerMapData): Cell[] =>
  [
    ...validators.map((validator) => ({
      ...toCell(plainLine(validator.moniker) || validator.operatorAddress, validator),
      path: poolPath(validator.operatorAddress),
    })),
    ...(rest === null ? [] : [toCell(pluralize(rest.count, 'other'), rest, 'others')]),
  ].filter(({ power }) => power > 0n)

const byPower = (one: { power: bigint }, other: { power: bigint }): number =>
  one.power < other.power ? 1 : Number(one.power > other.power) * -1

/** Validators with the same vote together; each and all of them by voting power. */
const groupCells = (cells: readonly Cell[]): Cell[][] => {
  const groups = new Map<Group, Cell[]>()
  for (const cell of cells) groups.set(cell.group, [...(groups.get(cell.group) ?? []), cell])
  return [...groups.values()]
    .map((members) => ({ members: members.toSorted(byPower), power: sumPower(members) }))
    .toSorted(byPower)
    .map(({ members }) => members)
}

/** The drawing, a group of validators, one of them (`cell`), or a part of its power (`part`). */
type Area = { cell?: Cell; part?: Part; children?: Area[] }
type Placed = HierarchyRectangularNode<Area>

/** Twice as wide as high: a compromise between phones and wide screens. */
const RATIO = 2

/** As square as possible, but the parts of a validator are side by side. In the order given. */
const layOut = (groups: readonly (readonly Cell[])[]): Placed => {
  const toArea = (cell: Cell): Area => ({ cell, children: cell.parts.map((part) => ({ part })) })
  const whole = { children: groups.map((cells) => ({ children: cells.map(toArea) })) }
  const squarify = treemapSquarify.ratio(1)
  return treemap<Area>()
    .size([RATIO, 1])
    .tile((node, x0, y0, x1, y1) => {
      const isAcross = x1 - x0 >= y1 - y0
      const tile = node.data.cell ? (isAcross ? treemapDice : treemapSlice) : squarify
      tile(node, x0, y0, x1, y1)
    })(hierarchy<Area>(whole).sum(({ part }) => Number(part?.power ?? 0n)))
}

/** In hundredths of a percent of the drawing. */
type Box = { x: number; y: number; width: number; height: number }

/** Edges are rounded, and not sizes: so there are no gaps. */
const toBox = ({ x0, y0, x1, y1 }: Placed): Box => {
  const across = [x0, x1].map((x) => Math.round((x * 10_000) / RATIO))
  const down = [y0, y1].map((y) => Math.round(y * 10_000))
  const [[left = 0, right = 0], [top = 0, bottom = 0]] = [across, down]
  return { x: left, y: top, width: right - left, height: bottom - top }
}

const toAttributes = (box: Box) => {
  const percent = (length: number) => `${length / 100}%`
  const { x, y, width, height } = box
  return { x: percent(x), y: percent(y), width: percent(width), height: percent(height) }
}

type Size = { width: number; height: number }

const canFit = (box: Box, { width, height }: Size): boolean =>
  box.width >= width && box.height >= height

/** One pixel on a wide screen. Smaller parts are not drawn, to save bytes. */
const PIXEL: Size = { width: 10, height: 25 }

/** The vote of the validator first, then the votes of delegators. The first part fills the box, so that no background is seen. */
function Filled({ area }: { area: Placed }) {
  const rects = (area.children ?? []).map((child, n) => {
    const { part } = child.data
    const box = toBox(n === 0 ? area : child)
    if (!part || (n > 0 && !canFit(box, PIXEL))) return null
    const at = toAttributes(box)
    return [
      <rect class={part.fill} {...at} />,
      part.isOverridden && <rect class="overridden" {...at} />,
    ]
  })
  return <>{rects}</>
}

type MapContext = { whole: bigint; at: Pick<PageContext, 'unit' | 'baseUrl'> }

const inWords = ({ name, group, parts, power }: Cell, { whole, at }: MapContext): string => {
  const overridden = sumOverridden(parts)
  const vote = group === 'others' ? '' : `${NAMES[group]}, `
  const others = overridden > 0n ? `; ${amountText(`${overridden}`, at)} voted by delegators` : ''
  return `${name}: ${vote}${amountText(`${power}`, at)} (${shareText(power, whole)})${others}`
}

/** The size that a label needs, on a phone and on a wide screen. */
const LABEL_SIZE = { phone: { width: 2_200, height: 1_100 }, wide: { width: 900, height: 900 } }

type CellProps = { cell: Cell; area: Placed; context: MapContext }

/** A label is clipped at the edge of its rectangle. */
function CellLabel({ cell, area, context: { whole } }: CellProps) {
  const box = toBox(area)
  if (!canFit(box, LABEL_SIZE.wide)) return null
  const look = canFit(box, LABEL_SIZE.phone) ? 'label' : 'label wide'
  const vote = cell.group === 'others' ? '' : `${NAMES[cell.group]} · `
  return (
    <svg class={look} {...toAttributes(box)}>
      <text x="6" y="1.2em">
        {cell.name}
      </text>
      <text x="6" y="2.45em">
        {vote}
        {shareText(cell.power, whole)}
      </text>
    </svg>
  )
}

/** The keyboard reaches the rectangles with a label. The others are as well in the tables below. */
function DrawnCell({ cell, area, context }: CellProps) {
  const box = toBox(area)
  const isOutlined = cell.parts.some(({ fill }) => fill === 'non-voting')
  const drawn = (
    <g>
      <title>{inWords(cell, context)}</title>
      <Filled area={area} />
      <rect class={isOutlined ? 'outline non-voting' : 'outline'} {...toAttributes(box)} />
      <CellLabel {...{ cell, area, context }} />
    </g>
  )
  if (cell.path === undefined) return drawn
  const href = toHref(cell.path, context.at)
  return canFit(box, LABEL_SIZE.phone) ? (
    <a href={href}>{drawn}</a>
  ) : (
    <a href={href} tabindex={-1} aria-hidden="true">
      {drawn}
    </a>
  )
}

function Drawing({ cells, context }: { cells: readonly Cell[]; context: MapContext }) {
  const drawn = layOut(groupCells(cells)).children?.map((group) => [
    group.children?.map((area) => {
      const { cell } = area.data
      return cell && <DrawnCell {...{ cell, area, context }} />
    }),
    <rect class="group" {...toAttributes(toBox(group))} />,
  ])
  return <>{drawn}</>
}

const FILLS = ['yes', 'no', 'veto', 'abstain', 'non-voting'] as const

/** Each fill with its name and its share of the power. */
const fillShares = (parts: readonly Part[]) => {
  const shares = shareTexts(
    FILLS.map((fill) => sumPower(parts.filter((part) => part.fill === fill))),
  )
  return FILLS.map((fill, n) => ({ fill, label: `${NAMES[fill]} ${shares[n]}` }))
}

function Key({ of }: { of: Fill | 'overridden' }) {
  if (of !== 'non-voting' && of !== 'overridden') return <Swatch of={of} />
  return (
    <svg class="key" aria-hidden="true" focusable="false">
      <rect class={of === 'non-voting' ? of : 'yes'} width="100%" height="100%" />
      <rect class={of} width="100%" height="100%" />
    </svg>
  )
}

const overriddenShare = (parts: readonly Part[], whole: bigint): string =>
  `Voted by delegators themselves ${shareText(sumOverridden(parts), whole)}`

function Legend({ parts, whole }: { parts: readonly Part[]; whole: bigint }) {
  return (
    <ul class="inline small legend">
      {fillShares(parts).map(({ fill, label }) => (
        <li>
          <Key of={fill} />
          {label}
        </li>
      ))}
      <li>
        <Key of="overridden" />
        {overriddenShare(parts, whole)}
      </li>
    </ul>
  )
}

const LARGEST = 8

const sortByPower = (cells: readonly Cell[]): Cell[] =>
  cells.filter(({ path }) => path !== undefined).toSorted(byPower)

/** Most rectangles are too small for a name. */
function Largest({ cells, whole }: { cells: readonly Cell[]; whole: bigint }) {
  return (
    <>
      <p class="small soft" id="largest">
        The largest:
      </p>
      <ol class="inline small" aria-labelledby="largest">
        {sortByPower(cells)
          .slice(0, LARGEST)
          .map(({ path = '', name, group, power }) => (
            <li>
              <Link to={path}>
                <Quoted text={name} />
              </Link>{' '}
              {NAMES[group]}, {shareText(power, whole)}
            </li>
          ))}
      </ol>
    </>
  )
}

const describe = (cells: readonly Cell[], context: MapContext): string => {
  const sums = fillShares(cells.flatMap(({ parts }) => parts)).map(({ label }) => label)
  const largest = sortByPower(cells)[0]
  return `${sums.join(', ')}.${largest ? ` Largest: ${inWords(largest, context)}.` : ''}`
}

type MapProps = { data: PowerMapData }

/** Nothing to draw if no voting power is known. */
export const hasPower = (data: PowerMapData | null): data is PowerMapData =>
  data !== null && toCells(data).length > 0

/** The drawing with its legend; elsewhere the shares of the options in words. */
export function PowerMap({ data }: MapProps, at: PageContext): ComponentChildren {
  const cells = toCells(data)
  const context = { whole: sumPower(cells), at: at }
  return (
    <>
      <p class="small soft">
        Each rectangle is a validator. Its area is its voting power, filled as the validator voted.
        Striped areas are the power of delegators who voted themselves, in the color of their votes.
      </p>
      <figure class="power-map">
        <svg role="group" aria-labelledby="power-map-name power-map-description">
          <title id="power-map-name">Voting power by validator and vote</title>
          <desc id="power-map-description">{describe(cells, context)}</desc>
          <Drawing cells={cells} context={context} />
        </svg>
        <figcaption>
          <Legend parts={cells.flatMap((cell) => cell.parts)} whole={context.whole} />
          <Largest cells={cells} whole={context.whole} />
        </figcaption>
      </figure>
    </>
  )
}
PowerMap.text = ({ data }: MapProps) => {
  const cells = toCells(data)
  const parts = cells.flatMap((cell) => cell.parts)
  const labels = fillShares(parts).map(({ label }) => label)
  return <p>{`${labels.join(', ')}. ${overriddenShare(parts, sumPower(cells))}.`}</p>
}
