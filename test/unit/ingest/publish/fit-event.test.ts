// Tests the bounds of an event in the log: what others wrote is shortened, and every part that is left out is named.
import { expect, it } from 'vitest'
import { fitEvent } from '../../../../ingest/publish/fit-event.ts'
import {
  createHeightEvents,
  firstReading,
  submitted,
} from '../../../support/log/governance-events.ts'
import { pool, proposalState } from '../../../support/log/governance-values.ts'

const MAX_BYTES = 15 * 2 ** 20

const createSubmission = (state: Parameters<typeof proposalState>[1]) =>
  createHeightEvents(1, [submitted('7', { proposal: proposalState('7', state) })])[0]!

it('a long text is shortened at a whole character, and the event names its digest', () => {
  const { data } = fitEvent(createSubmission({ title: 'ä'.repeat(2 ** 20) }), MAX_BYTES)
  expect(data).toMatchObject({
    proposal: { title: expect.stringMatching(/^ä{32768}…$/) },
    omitted: [{ path: '/proposal/title', bytes: 2 ** 21 + 2, sha256: expect.any(String) }],
    omittedReason: expect.stringContaining('at most 65536 bytes'),
  })
})

it('the digest is that of the whole text if a smaller limit shortens it again', () => {
  const once = fitEvent(createSubmission({ summary: 'x'.repeat(2 ** 20) }), MAX_BYTES)
  expect(once.data).toMatchObject({ proposal: { summary: `${'x'.repeat(2 ** 19)}…` } })
  const twice = fitEvent(once, 40_000)
  expect(twice.data).toHaveProperty('omitted', Reflect.get(once.data, 'omitted'))
})

it('a reading without its pools is not complete, with the reason', () => {
  const pools = Array.from({ length: 200 }, (_, n) => pool(`p${n}`))
  const [reading] = createHeightEvents(1, [firstReading('7', pools)])
  expect(fitEvent(reading!, MAX_BYTES).data).toMatchObject({ complete: true })
  expect(fitEvent(reading!, 10_000).data).toMatchObject({
    pools: [],
    complete: false,
    incompleteReason: expect.stringMatching(/has \d+ bytes, and the log takes 10000$/),
  })
})
