// Tests of the list of the slowest suites and files.
import { describe, expect, it } from 'vitest'
import { slowestLines } from '../../../support/suite/slowest.ts'

describe('the list of the slowest', () => {
  it('has at most ten entries, the slowest first', () => {
    const all = Array.from({ length: 12 }, (_, at) => ({ name: `suite ${at}`, ms: at * 1_000 }))
    const lines = slowestLines('suites', all)
    expect(lines).toHaveLength(11)
    expect(lines.slice(0, 3)).toEqual([
      'slowest suites:',
      '  11.0 s  suite 11',
      '  10.0 s  suite 10',
    ])
    expect(lines.at(-1)).toBe('   2.0 s  suite 2')
  })

  it('shows the used cores if they were measured', () => {
    expect(slowestLines('suites', [{ name: 'kafka', ms: 300_000, cores: 0.4721 }])).toEqual([
      'slowest suites:',
      '  300.0 s  0.5 cores  kafka',
    ])
  })

  it('is only a heading if nothing ran', () => {
    expect(slowestLines('test files', [])).toEqual(['slowest test files:'])
  })
})
