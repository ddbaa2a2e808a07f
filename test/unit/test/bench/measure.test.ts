// Tests of the arithmetic and the verdict of the benchmarks.
import { describe, expect, it } from 'vitest'
import {
  computePercentile,
  computeSpread,
  type Finding,
  isMet,
  measurePairs,
} from '../../../bench/measure.ts'
import { renderTable } from '../../../bench/table.ts'

const figure = (value: number) => ({ median: value, min: value, max: value })

const createFinding = (changes: Partial<Finding> = {}): Finding => ({
  name: 'walking',
  unit: 'steps/s',
  subject: { label: 'us', figure: figure(80) },
  baseline: { label: 'them', figure: figure(100) },
  ratio: { median: 0.8, min: 0.7, max: 0.9 },
  target: 0.5,
  notes: ['uphill'],
  ...changes,
})

describe('measuring', () => {
  it('a median is the middle number, or halfway between the two middle ones', () => {
    expect(computeSpread([9, 1, 5])).toEqual({ median: 5, min: 1, max: 9 })
    expect(computeSpread([4, 1, 2, 9])).toEqual({ median: 3, min: 1, max: 9 })
    expect(() => computeSpread([])).toThrow(RangeError)
  })

  it('a percentile is a measured number', () => {
    const figures = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect(computePercentile(figures, 0.5)).toBe(50)
    expect(computePercentile(figures, 0.99)).toBe(99)
    expect(computePercentile([7], 0.99)).toBe(7)
    expect(() => computePercentile([], 0.5)).toThrow(RangeError)
  })

  it('subject and baseline alternate, and the ratio is computed for each pair', async () => {
    const order: string[] = []
    const take = (name: string, figures: number[]) => async () => {
      order.push(name)
      return figures.shift()!
    }
    const pairs = await measurePairs(
      { subject: take('A', [10, 40, 30]), baseline: take('B', [20, 40, 120]) },
      { pairs: 3, log: () => {} },
    )
    expect(order.join('')).toBe('ABABAB')
    expect(pairs.ratio).toEqual({ median: 0.5, min: 0.25, max: 1 })
    expect(pairs.subject.median).toBe(30)
    expect(pairs.baseline.median).toBe(40)
  })
})

describe('the table', () => {
  it('reports that all targets are met', () => {
    const table = renderTable([createFinding()], [])
    expect(table).toMatch(/walking .*80\.0.*100.*0\.80 \(0\.70–0\.90\).*≥ 0\.5 .*yes/)
    expect(table).toMatch(/all 1 targets met$/)
  })

  it('names each missed target, and each target that could not be measured', () => {
    const missed = createFinding({ name: 'running', ratio: { median: 0.49, min: 0.4, max: 0.9 } })
    const table = renderTable([createFinding(), missed], [{ name: 'flying', reason: 'no wings' }])
    expect(isMet(missed)).toBe(false)
    expect(table).toContain('TARGET MISSED: running (1 of 2 met); NOT MEASURED: flying')
    expect(table).toContain('flying: not measured: no wings')
  })

  it('a number without a target is neither met nor missed', () => {
    const free = createFinding({ target: null, ratio: { median: 0.1, min: 0.1, max: 0.1 } })
    expect(isMet(free)).toBeNull()
    expect(renderTable([free], [])).toContain('all 0 targets met')
  })
})
