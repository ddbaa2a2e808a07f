// The list of what was slowest.
import { describe, expect, it } from 'vitest'
import { slowestLines } from '../../../support/suite/slowest.ts'

describe('the slowest of a run', () => {
  it('are ten at most, the slowest first', () => {
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

  it('are shown with the cores that they kept busy, where that was measured', () => {
    expect(slowestLines('suites', [{ name: 'kafka', ms: 300_000, cores: 0.4721 }])).toEqual([
      'slowest suites:',
      '  300.0 s  0.5 cores  kafka',
    ])
  })

  it('are a heading alone if nothing ran', () => {
    expect(slowestLines('test files', [])).toEqual(['slowest test files:'])
  })
})
