// Writes the list of guarantees of each README from test/guarantees.yaml: `npm run docs:guarantees`.
import { readFileSync, writeFileSync } from 'node:fs'
import { GUARANTEES, READMES } from '../guarantees.ts'

const LIST = /(^## Guarantees\n[\s\S]*?)(?:^- `[a-z]+:.*\n)+/m

for (const [prefix, path] of Object.entries(READMES)) {
  const items = Object.entries(GUARANTEES).filter(([id]) => id.startsWith(`${prefix}:`))
  const lines = items.map(([id, { text }]) => `- \`${id}\`: ${text}\n`).join('')
  const page = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    page.replace(LIST, (_, before: string) => before + lines),
  )
}
