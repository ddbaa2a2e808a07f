// Tests the heap limit of a process.
import { expect, it } from 'vitest'
import { heapLimit } from '../../../../../infra/base/runtime/memory.ts'

const GIB = 2 ** 30

it.each([
  [GIB, '--max-old-space-size=512'],
  [6 * GIB, '--max-old-space-size=1536'],
  [64 * GIB, '--max-old-space-size=4096'],
])('is a quarter of %i bytes of memory, within limits', (bytes, option) => {
  expect(heapLimit(bytes, { execArgv: [] })).toEqual([option])
})

it.each([
  { execArgv: ['--max-old-space-size=900'] },
  { execArgv: [], nodeOptions: '--enable-source-maps --max_old_space_size=900' },
])('leaves the limit of the operator: %j', (options) => {
  expect(heapLimit(8 * GIB, options)).toEqual([])
})
