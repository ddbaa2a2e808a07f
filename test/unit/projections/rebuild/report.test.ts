// Tests the report of a comparison: equal tables, differences, and its maximum length.
import { describe, expect, it } from 'vitest'
import type { Comparison } from '../../../../projections/rebuild/compare.ts'
import { comparisonText, generationLine } from '../../../../projections/rebuild/report.ts'

const equal: Comparison = {
  generations: [1, 2],
  height: 1234567,
  equal: true,
  tables: [{ table: 'ballots', rows: [12345, 12345], differing: 0 }],
  differences: [],
  verdicts: [
    { yes: 17, no: 0, unknown: 2 },
    { yes: 17, no: 0, unknown: 2 },
  ],
  tallies: [],
  notCompared: [],
}

const tally = {
  yes: 100n,
  abstain: 0n,
  no: 5n,
  noWithVeto: 0n,
  final: true,
  matchesChain: 'yes' as const,
  ballots: 3,
  poolsVoted: 1,
}

describe('the report of a comparison', () => {
  it('reports equal tables with their rows', () => {
    const text = comparisonText(equal)
    expect(text).toContain(
      'generation 2 compared with generation 1, which is served, up to height 1,234,567',
    )
    expect(text).toMatch(/ballots +12,345 +12,345 {3}equal/)
    expect(text).toContain('tallies that match the chain: yes 17 → 17, no 0 → 0, unknown 2 → 2')
    expect(text).not.toContain('differ')
  })

  it('names differences, and shows both tallies', () => {
    const text = comparisonText({
      ...equal,
      equal: false,
      tables: [{ table: 'ballots', rows: [12, 11], differing: 3 }],
      differences: [
        { table: 'ballots', key: '7', rows: [12, 11] },
        { table: 'pools', key: 'cosmosvaloper1a', rows: [1, 1] },
        { table: 'events', key: '0', rows: [1, 2] },
        { table: 'voter_stakes', key: '', rows: [3, 4] },
      ],
      tallies: [
        { proposalId: '7', round: 1, tallies: [tally, { ...tally, yes: 101n }] },
        { proposalId: '8', round: 1, tallies: [tally, tally] },
        { proposalId: '9', round: 2, tallies: [null, tally] },
      ],
      notCompared: ['ballots.extra'],
    })
    expect(text).toMatch(/ballots +12 +11 {3}3 differ/)
    expect(text).toContain('ballots of proposal 7: 12 → 11 rows')
    expect(text).toContain('pools of pool cosmosvaloper1a: 1 rows, different content')
    expect(text).toContain('events of no proposal: 1 → 2 rows')
    expect(text).toContain('voter_stakes: 3 → 4 rows')
    expect(text).toMatch(/proposal 7, round 1\n +yes 100,.*\n +yes 101,/)
    expect(text).not.toContain('proposal 8')
    expect(text).toMatch(/proposal 9, round 2\n +none\n/)
    expect(text).toContain('only in one generation: ballots.extra')
  })

  it('stays short if everything differs', () => {
    const differences = Array.from({ length: 5000 }, (_, id) => ({
      table: 'tallies',
      key: String(id + 1),
      rows: [1, 1] as const,
    }))
    const lines = comparisonText({ ...equal, equal: false, differences }).split('\n')
    expect(lines.length).toBeLessThan(30)
    expect(lines.at(-1)).toBe('  … and 4,980 more')
  })
})

describe('the line of a generation', () => {
  it('contains its state, age, position and size, and why it failed', () => {
    const since = '2026-11-21T08:00:00.000Z'
    const activeGeneration = {
      generation: 12,
      state: 'active' as const,
      since,
      reason: null,
      height: 1234,
      nextOffset: '99',
      bytes: 5 * 1024 * 1024,
    }
    expect(generationLine(activeGeneration)).toBe(
      `  12  active   since ${since}  height 1,234  5 MiB`,
    )
    const gone = { ...activeGeneration, state: 'dropped' as const, height: null, bytes: null }
    expect(generationLine(gone)).toBe(`  12  dropped  since ${since}`)
    const failed = { ...activeGeneration, state: 'failed' as const, reason: 'the store refused' }
    expect(generationLine(failed)).toMatch(/failed .*the store refused$/)
  })
})
