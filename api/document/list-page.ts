// What an operation says of the page of its list, from which the page follows.
import type { Document, ItemTable } from './tree.ts'

export type ListPage<Item> = Pick<Document, 'title' | 'description'> & {
  /** The name in metrics. */
  name: string
  /** The path of the page, without parameters. */
  path: string
  lead: string
  table: Omit<ItemTable<Item>, 'items'>
  itemNames: readonly [one: string, many: string]
}
