// The examples in EVENTS.md are events that ingest writes today.
import { expect, it } from 'vitest'
import { readEventExamples, storedExamples } from '../docs/event-examples.ts'

it('ingest writes the examples in EVENTS.md (else run `npm run docs:events`)', async () => {
  expect(await readEventExamples()).toEqual(storedExamples())
})
