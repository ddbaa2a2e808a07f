// Writes the table of the API in api/USE.md, and the examples of its reference from the demo chain: `npm run docs:api`.
import { readFileSync, writeFileSync } from 'node:fs'
import { describeOperation } from '../../api/discovery/documents.ts'
import { OPERATIONS } from '../../api/resources/operations.ts'
import { withDemoStore } from '../support/api/demo-store.ts'
import { API_EXAMPLES_FILE, readApiExamples } from './api-examples.ts'

const USE_PAGE = new URL('../../api/USE.md', import.meta.url)
const ROWS = /(?:^\| `GET \/api\/.*\|\n)+/m

const rows = OPERATIONS.map((each) => `| ${describeOperation(each).join(' | ')} |\n`)
const page = readFileSync(USE_PAGE, 'utf8')
writeFileSync(
  USE_PAGE,
  page.replace(ROWS, () => rows.join('')),
)

await withDemoStore(async (store) => {
  const examples = await readApiExamples(store)
  writeFileSync(API_EXAMPLES_FILE, `${JSON.stringify(examples, null, 2)}\n`)
})
process.exit(0)
