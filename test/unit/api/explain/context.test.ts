// Tests of how the context of a proposal is read from its row.
import { expect, it } from 'vitest'
import { readContext } from '../../../../api/explain/context.ts'

it('reads observations with their heights, and the earlier block', () => {
  const context = {
    observations: [
      { query: '/a.v1.Query/Params', request: {}, response: null, reason: 'pruned', height: 7 },
    ],
    earlierBlock: { height: 3, time: '2026-01-01T00:00:00Z' },
  }
  expect(readContext(JSON.stringify(context))).toEqual(context)
})

it('has no observations if an earlier version wrote the row', () => {
  expect(readContext('')).toEqual({ observations: [], earlierBlock: null })
})
