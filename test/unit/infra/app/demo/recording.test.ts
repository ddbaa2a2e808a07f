// A log that another recording or another chain wrote, before the demo chain is started on it.
import { describe, expect, it } from 'vitest'
import { requireSameChain } from '../../../../../infra/app/demo/recording.ts'
import { openTestRecording } from '../../../../support/chain/test-recording.ts'

const recording = openTestRecording()
const { chainId, lastHeight } = recording.manifest
const hashAt = (height: number): string =>
  JSON.parse(recording.block(height).block).block_id.hash as string

describe('the recording of the demo chain', () => {
  it.each([1, 300, lastHeight])('continues its own log that ends at height %i', (height) => {
    const indexed = { chainId, height, hash: hashAt(height) }
    expect(() => requireSameChain(recording, indexed)).not.toThrow()
  })

  it.each([
    ['an earlier recording', { chainId, height: 300, hash: hashAt(299) }],
    ['a longer recording', { chainId, height: lastHeight + 5, hash: hashAt(lastHeight) }],
    ['another chain', { chainId: 'cosmoshub-4', height: 300, hash: hashAt(300) }],
  ])('refuses the log of %s', (_, indexed) => {
    expect(() => requireSameChain(recording, indexed)).toThrow(
      expect.objectContaining({ code: 'CHAIN_MISMATCH', expose: true }),
    )
  })
})
