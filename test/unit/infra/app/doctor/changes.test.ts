// Tests of the output of `rollcall doctor --watch` between two checks.
import { describe, expect, it } from 'vitest'
import { changesBetween, changeText } from '../../../../../infra/app/doctor/changes.ts'
import { createAreaFindings } from '../../../../../infra/app/doctor/finding.ts'

const { ok, problem } = createAreaFindings('api')

describe('changes between two checks', () => {
  it('are the findings that are over, then those that are new', () => {
    const before = [ok('it serves'), ok('all services are ready')]
    const now = [ok('all services are ready'), problem('no answer', 'start it')]
    expect(changesBetween(before, now)).toEqual([
      { change: 'over', finding: before[0] },
      { change: 'new', finding: now[1] },
    ])
  })

  it('are empty if only heights and ages differ', () => {
    const at = (height: string, age: string) => [ok(`it serves height ${height}, ${age} s old`)]
    expect(changesBetween(at('1,610', '0.5'), at('99', '12'))).toEqual([])
  })

  it('are lines with the time, a sign and the remedy', () => {
    const [over] = changesBetween([problem('no answer', 'start it')], [])
    const text = over && changeText('2026-11-23T12:34:56.000Z', over)
    expect(text?.split('\n').map((line) => line.trim())).toEqual([
      '2026-11-23T12:34:56.000Z - api             problem      no answer',
      '→ start it',
    ])
  })
})
