// Tests that the examples of the API reference are responses over the demo chain.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { API_EXAMPLES_FILE, readApiExamples } from '../docs/api-examples.ts'
import { projectDemoChain } from '../support/api/demo-store.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(projectDemoChain)

it('the API answers as the examples in its reference (else run `npm run docs:api`)', async () => {
  const stored = JSON.parse(readFileSync(API_EXAMPLES_FILE, 'utf8'))
  expect(await readApiExamples(testStore.store)).toEqual(stored)
})
