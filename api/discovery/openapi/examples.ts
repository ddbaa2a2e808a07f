// One example response per operation, recorded from the demo chain and shortened to one item.
import { readFileSync } from 'node:fs'

const examples = JSON.parse(
  readFileSync(new URL('../assets/examples.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, unknown>>

export const findExample = (operationId: string): unknown => examples[operationId]
