// The planted defects stay true: each file has its place once, and the test that finds the defect exists.
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DEFECTS } from './mutants/defects.ts'

it.each(DEFECTS)('$defect has one place in $file, and the test that finds it', (planted) => {
  expect(readFileSync(planted.file, 'utf8').split(planted.from)).toHaveLength(2)
  expect(existsSync(`test/${planted.found.split(': ')[0]}.test.ts`)).toBe(true)
})
