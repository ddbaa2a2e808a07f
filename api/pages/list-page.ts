// The page of a list whose operation says all of it: a lead, the table of the items, and the other pages.

import { link } from '../document/line.ts'
import type { ListPage } from '../document/list-page.ts'
import { proposalPath } from '../document/paths.ts'
import { paging, paragraph, table } from '../document/tree.ts'
import type { ListBody } from '../resources/list.ts'
import type { AnyList } from '../resources/operations.ts'
import { formatPath } from '../resources/path-parameters.ts'
import { listDocument, type Page } from './page.ts'

type Body = ListBody<unknown>

/** A list without page numbers has none of them. */
const toPaginated = ({ page, links }: Body) => ({
  page: { number: null, totalPages: 1, ...page },
  links: { prev: null, ...links },
})

const createPage = (list: AnyList, page: ListPage<unknown>): Page<Body> => {
  const { name, path, title, description, lead, itemNames } = page
  return {
    name,
    path,
    parseRequest: list.parseRequest,
    write: (data, at) => {
      const here = formatPath(path, at.params)
      const { proposalId } = at.params
      const paginated = toPaginated(data)
      return listDocument({ ...paginated, asOf: data.asOf }, at, {
        title,
        description,
        path: here,
        ...(proposalId !== undefined && {
          above: link(proposalPath(proposalId), `Proposal ${proposalId}`),
        }),
        blocks: [
          paragraph(lead),
          data.items.length === 0
            ? paragraph(`No ${itemNames[1]} on this page.`)
            : table({ ...page.table, items: data.items }),
          paging({ list: paginated, itemNames, path: here }),
        ],
      })
    },
  }
}

/** The pages of all lists that say what their page is. */
export const createListPages = (lists: readonly AnyList[]): readonly Page<Body>[] =>
  lists.flatMap((list) => (list.page === undefined ? [] : [createPage(list, list.page)]))
