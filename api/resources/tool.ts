// The tool of an operation: how a language model finds it, and the short text that it reads of each result. Pure.
import type { AsOf } from '../schemas/common.ts'
import { describeAsOf } from './reading.ts'

/** `rows` are lines of a list, which are left out first. */
export type Reading = { lines: readonly string[]; rows: readonly string[] }

type Named = {
  /** Permanent. */
  name: string
  title: string
  /** Facts that many tools share are in the instructions of the server. */
  description: string
}

export type OperationTool = Named & {
  /** Rows of a list that is a part of the result. By default as many as fit. */
  usualRows?: number
  /** A method type: it accepts only the body of its operation. */
  read(body: object): Reading
}

type WithAsOf = { asOf?: AsOf }

const listAsOf = ({ asOf }: WithAsOf): string[] => (asOf ? [describeAsOf(asOf)] : [])

/** `asOf` of the body follows the lines. */
export type ItemTool<Body> = Named &
  Pick<OperationTool, 'usualRows'> & { lines: (body: Body) => readonly string[] }

export const createItemTool = <Body>({ lines, ...tool }: ItemTool<Body>): OperationTool => ({
  ...tool,
  read: (body: Body & WithAsOf) => ({ lines: [...lines(body), ...listAsOf(body)], rows: [] }),
})

export type ListTool<Item, Body> = Named & {
  /** What the items are; by default the guide of the operation. */
  rows?: string
  row: (item: Item) => string
  /** About the list as a whole. */
  lines?: (body: Body) => readonly string[]
}

type List<Item> = { items: readonly Item[]; page: { totalItems: number | null }; asOf: AsOf }

/** `guide` names the items. */
const describeCount = ({ items, page }: List<unknown>, guide: string): string =>
  page.totalItems === null
    ? `Not known: ${guide}. historyReason of the proposal has the reason.`
    : `${items.length} of ${page.totalItems} ${guide}.`

export const createListTool = <Item, Body extends List<Item>>(
  { rows, row, lines = () => [], ...tool }: ListTool<Item, Body>,
  guide: string,
): OperationTool => ({
  ...tool,
  read: (body: Body) => ({
    lines: [describeCount(body, rows ?? guide), ...lines(body), ...listAsOf(body)],
    rows: body.items.map(row),
  }),
})
