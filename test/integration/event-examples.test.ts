// Tests that ingest writes the examples in EVENTS.md.
import { expect, it } from 'vitest'
import { readEventExamples, storedExamples } from '../docs/event-examples.ts'

it('ingest writes the examples in EVENTS.md (else run `npm run docs:events`)', async () => {
  expect(await readEventExamples()).toEqual(storedExamples())
})
