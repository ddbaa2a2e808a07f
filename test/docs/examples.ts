// Writes the examples of the API reference from the demo chain: `npm run docs:examples`.
import { writeFileSync } from 'node:fs'
import { withDemoStore } from '../support/api/demo-store.ts'
import { API_EXAMPLES_FILE, readApiExamples } from './api-examples.ts'

await withDemoStore(async (store) => {
  const examples = await readApiExamples(store)
  writeFileSync(API_EXAMPLES_FILE, `${JSON.stringify(examples, null, 2)}\n`)
})
process.exit(0)
