// Every answer of the API over the recorded chain, as it was recorded: what no other test states changes only on purpose.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DIGESTS_FILE, type Digests, differingRequests, toDigests } from '../answers/digests.ts'
import { RECORDED_CONFIG, recordAnswers } from '../answers/every-answer.ts'
import { projectDemoChain } from '../support/api/demo-store.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(projectDemoChain)

// Two thousand requests take half a minute of an idle core.
it('the API answers every request as recorded', { timeout: 1_800_000 }, async () => {
  const rig = await createMcpRig(testStore.store, RECORDED_CONFIG)
  const answers = toDigests(await recordAnswers(rig))
  await rig.close()
  const recorded: Digests = JSON.parse(readFileSync(DIGESTS_FILE, 'utf8'))
  const differing = differingRequests(recorded, answers)
  expect(
    differing,
    'If these answers shall differ, run `npm run record:answers`. To see how: `npm run record:answers -- FILE` at both commits',
  ).toEqual([])
})
