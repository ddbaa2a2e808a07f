// Tests that the node of the demo keeps the contract of a node.
import { describeNode } from '../contracts/node.ts'
import { openTestRecording, startTestNode } from '../support/chain/test-recording.ts'

describeNode('the node of the demo', async () => {
  const { firstHeight: first } = openTestRecording().manifest
  const { url, chainId, close } = await startTestNode({ preload: 20, blockMs: 200 })
  return { url, chainId, first, isSigned: true, isLive: true, close }
})
