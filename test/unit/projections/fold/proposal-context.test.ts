// Tests the kept state for an open proposal: merged by query and request, with limits.
import { expect, it } from 'vitest'
import type { StateObservation } from '../../../../ingest/contract/context-events.ts'
import {
  contextJson,
  EMPTY_CONTEXT,
  findObservation,
  type KeptContext,
  MAX_CONTEXT_BYTES,
  MAX_RESPONSE_BYTES,
  mergeContext,
} from '../../../../projections/fold/proposal-context.ts'

const observation = (changes: Partial<StateObservation> = {}): StateObservation => ({
  query: '/a.v1.Query/Params',
  request: {},
  response: { params: { a: '1' } },
  reason: null,
  ...changes,
})

const merged = (
  context: KeptContext,
  height: number,
  ...observations: StateObservation[]
): KeptContext => mergeContext(context, { observations }, height)

const keptIn = (context: KeptContext) => JSON.parse(contextJson(context))

it('keeps the latest observation of a query and request with its height', () => {
  const first = merged(EMPTY_CONTEXT, 5, observation(), observation({ query: '/b.v1.Query/Pool' }))
  const later = observation({ response: null, reason: 'pruned' })
  expect(keptIn(merged(first, 9, later)).observations).toEqual([
    { ...later, height: 9 },
    { ...observation({ query: '/b.v1.Query/Pool' }), height: 5 },
  ])
})

it('distinguishes requests by their members, not by the order of members', () => {
  const one = observation({ request: { denom: 'a', address: 'x' } })
  const same = observation({ request: { address: 'x', denom: 'a' }, response: { balance: 2 } })
  const other = observation({ request: { address: 'x', denom: 'b' } })
  const context = merged(EMPTY_CONTEXT, 5, one, same, other)
  expect(keptIn(context).observations).toHaveLength(2)
  expect(findObservation(context, one)?.response).toEqual({ balance: 2 })
})

it('omits a response that is too long, with the reason', () => {
  const long = observation({ response: { text: 'x'.repeat(MAX_RESPONSE_BYTES) } })
  const [kept] = keptIn(merged(EMPTY_CONTEXT, 5, long)).observations
  expect(kept).toMatchObject({ response: null, reason: expect.stringContaining('left out') })
})

it('limits the bytes of responses and the number of observations', () => {
  const response = { text: 'x'.repeat(MAX_RESPONSE_BYTES - 100) }
  const many = Array.from({ length: 200 }, (_, index) =>
    observation({ request: { index }, response }),
  )
  const { observations } = keptIn(merged(EMPTY_CONTEXT, 5, ...many))
  expect(observations).toHaveLength(128)
  expect(JSON.stringify(observations).length).toBeLessThan(MAX_CONTEXT_BYTES + 128 * 300)
  expect(observations.at(-1)).toMatchObject({
    response: null,
    reason: expect.stringContaining('in total'),
  })
})
