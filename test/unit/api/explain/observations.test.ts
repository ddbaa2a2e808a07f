// Reads the context of a proposal from its row.
import { expect, it } from 'vitest'
import { readContext } from '../../../../api/explain/observations.ts'

it('readContext reads observations with their heights, and the earlier block', () => {
  const context = {
    observations: [
      { query: '/a.v1.Query/Params', request: {}, response: null, reason: 'pruned', height: 7 },
    ],
    earlierBlock: { height: 3, time: '2026-01-01T00:00:00Z' },
  }
  expect(readContext(JSON.stringify(context))).toEqual(context)
})

it('readContext returns no observations for a row of an earlier version', () => {
  expect(readContext('')).toEqual({ observations: [], earlierBlock: null })
})
