// The simulated chain answers as a real one: the state of the recorded node, played by the simulator, gives the same bytes.
import { expect, it } from 'vitest'
import { answerFromRecording } from '../../infra/app/demo/recorded-queries.ts'
import { compareWithNode } from '../support/chain/simulated-answers.ts'
import { openTestRecording } from '../support/chain/test-recording.ts'

const recording = openTestRecording()
const { firstHeight, lastHeight: tip } = recording.manifest
const SAMPLES = 9
const heights = Array.from({ length: SAMPLES }, (_, index) =>
  Math.round(firstHeight + ((tip - firstHeight) * index) / (SAMPLES - 1)),
)

it.each(heights)('at height %i', async (height) => {
  const { asked, differing } = await compareWithNode(async (path, data) => {
    const request = { path, data, height: BigInt(height), prove: false }
    return answerFromRecording(request, { recording, tip })
  }, height)
  expect(asked).toBeGreaterThan(100)
  expect(differing).toEqual([])
})
