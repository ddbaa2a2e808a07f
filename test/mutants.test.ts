// The planted defects stay true: each file has its place once, and the tests that find the defect exist.
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { GUARANTEES } from './guarantees.ts'
import { DEFECTS, nameOf } from './mutants/defects.ts'

it.each(DEFECTS.map((defect) => [nameOf(defect), defect] as const))(
  '%s has one place, and tests that find it',
  (_, defect) => {
    expect(readFileSync(defect.file, 'utf8').split(defect.from)).toHaveLength(2)
    if ('guarantee' in defect) expect(GUARANTEES).toHaveProperty(defect.guarantee)
    else expect(existsSync(`test/${defect.found.split(': ')[0]}.test.ts`)).toBe(true)
  },
)
