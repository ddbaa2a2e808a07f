// Writes the table of the API in api/USE.md, and the examples of its reference from the demo chain: `npm run docs:api`.
import { readFileSync, writeFileSync } from 'node:fs'
import { withDemoStore } from '../support/api/demo-store.ts'
import { API_EXAMPLES_FILE, readApiExamples } from './api-examples.ts'
import { USE_PAGE, withApiTable } from './api-table.ts'

writeFileSync(USE_PAGE, withApiTable(readFileSync(USE_PAGE, 'utf8')))

await withDemoStore(async (store) => {
  const examples = await readApiExamples(store)
  writeFileSync(API_EXAMPLES_FILE, `${JSON.stringify(examples, null, 2)}\n`)
})
process.exit(0)
