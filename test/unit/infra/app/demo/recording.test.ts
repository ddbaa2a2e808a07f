// A log that another recording or another chain wrote, before the demo chain is started on it.
import { describe, expect, it } from 'vitest'
import { startDemoChain } from '../../../../../infra/app/demo/demo-node.ts'
import { requireSameChain } from '../../../../../infra/app/demo/recording.ts'
import { openTestRecording, TEST_RECORDING } from '../../../../support/chain/test-recording.ts'

const recording = openTestRecording()
const { chainId, lastHeight } = recording.manifest
const hashAt = (height: number): string =>
  JSON.parse(recording.block(height).block).block_id.hash as string

describe('the recording of the demo chain', () => {
  it.each([1, 300, lastHeight])('continues its own log that ends at height %i', (height) => {
    const indexed = { chainId, height, hash: hashAt(height) }
    expect(() => requireSameChain(recording, indexed)).not.toThrow()
  })

  it('refuses the log of an earlier recording, also a longer one, and says what to do', async () => {
    for (const indexed of [
      { chainId, height: 300, hash: hashAt(299) },
      { chainId, height: lastHeight + 5, hash: hashAt(lastHeight) },
    ]) {
      expect(() => requireSameChain(recording, indexed)).toThrow(
        /an earlier recording of the demo chain.*remove the data directory, or set DATA_DIR/,
      )
      const started = startDemoChain({ blockMs: 60_000, recordingDir: TEST_RECORDING, indexed })
      await expect(started).rejects.toMatchObject({ code: 'CHAIN_MISMATCH', expose: true })
    }
  })

  it('refuses the log of another chain, and names the missing setting', () => {
    const other = { chainId: 'cosmoshub-4', height: 300, hash: hashAt(300) }
    expect(() => requireSameChain(recording, other)).toThrow(
      /of chain cosmoshub-4, but CHAIN_RPC_URLS is not set.*endpoints of cosmoshub-4/,
    )
  })
})
