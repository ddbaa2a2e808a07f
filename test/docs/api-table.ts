// Renders the operations of the read API as rows of the table in api/USE.md.
import { describeOperation } from '../../api/discovery/documents.ts'
import { OPERATIONS } from '../../api/resources/operations.ts'

export const USE_PAGE = new URL('../../api/USE.md', import.meta.url)

const ROWS = /(?:^\| `GET \/api\/.*\|\n)+/m

/** The page with a row for each operation. */
export const withApiTable = (page: string): string => {
  const rows = OPERATIONS.map((each) => `| ${describeOperation(each).join(' | ')} |\n`)
  return page.replace(ROWS, () => rows.join(''))
}
