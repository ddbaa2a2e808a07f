// Tests of what a run has: `npm test` and the rest of `test:all` are everything, and each suite once.
import { describe, expect, it } from 'vitest'
import { checkNames, parseRun, planRun, type Run } from '../../../support/suite/plan.ts'
import { CHECKS, SUITES } from '../../../support/suite/suites.ts'

const NODES = {
  own: { path: '/node', version: '24.9.0' },
  other: { path: '/node-20', version: '20.19.0' },
}
const OTHER = SUITES.filter(({ onBothNodes }) => onBothNodes).map(
  ({ name }) => `${name} on Node 20.19.0`,
)
const ALL = [...CHECKS, ...SUITES].map(({ name }) => name)

const plan = (run: Run, { only = [], done = [] }: { only?: string[]; done?: string[] } = {}) => {
  const nodes = run === 'core' ? { own: NODES.own } : NODES
  const { checks, suites } = planRun({ run, only, done }, nodes)
  return [...checks, ...suites].map(({ name }) => name)
}

describe('the plan of a run', () => {
  it('of `npm test` has only what needs Node alone', () => {
    const core = [...CHECKS, ...SUITES].filter((each) => plan('core').includes(each.name))
    expect(core.flatMap(({ needs = [] }) => needs)).toEqual([])
    expect(plan('core')).toEqual(
      expect.arrayContaining(['typecheck', 'lint', 'unit', 'property', 'integration', 'hostile']),
    )
  })

  it('of `test:all` has every suite, and those of both versions of Node twice', () => {
    expect(plan('all').toSorted()).toEqual([...ALL, ...OTHER].toSorted())
    expect(OTHER).toEqual(
      ['unit', 'property', 'integration'].map((name) => `${name} on Node 20.19.0`),
    )
  })

  it('of the other Node has only the suites of both', () => {
    expect(plan('other-node')).toEqual(OTHER)
  })

  it('has each suite once if `test:all` continues `npm test`', () => {
    const core = plan('core')
    const rest = plan('all', { done: core })
    expect([...core, ...rest].toSorted()).toEqual([...ALL, ...OTHER].toSorted())
  })

  it('has only the named suites if there are names', () => {
    expect(plan('all', { only: ['unit', 'kafka'] })).toEqual(['unit', OTHER[0], 'kafka'])
  })

  it('rejects an unknown name, and lists the known ones', () => {
    expect(() => checkNames(['kafka', 'coffee'])).toThrow(/^no suite "coffee"; there are: .*kafka/)
    expect(() => parseRun('some')).toThrow('no run "some"; there are: core, all, other-node')
    expect(parseRun('all')).toBe('all')
  })
})
