// Renders the operations of the read API as rows of the table in api/README.md.
import { describeOperation } from '../../api/discovery/operation-list.ts'
import { OPERATIONS } from '../../api/resources/operations.ts'

export const README = new URL('../../api/README.md', import.meta.url)

const ROWS = /(?:^\| `GET \/api\/.*\|\n)+/m

/** The README with a row for each operation. */
export const withApiTable = (readme: string): string => {
  const rows = OPERATIONS.map((each) => `| ${describeOperation(each).join(' | ')} |\n`)
  return readme.replace(ROWS, () => rows.join(''))
}
