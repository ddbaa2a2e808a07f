// One real answer for each operation, of the recorded demo chain, shortened to one item.
import { readFileSync } from 'node:fs'

const examples = JSON.parse(
  readFileSync(new URL('../assets/examples.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, unknown>>

export const findExample = (operationId: string): unknown => examples[operationId]
