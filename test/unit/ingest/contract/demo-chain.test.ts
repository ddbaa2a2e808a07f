// How the demo chain is recognized.
import { expect, it } from 'vitest'
import { openRecording } from '../../../../infra/app/demo/recording.ts'
import { isDemoChain } from '../../../../ingest/contract/demo-chain.ts'

it('recognizes the chain of the recording, earlier and later ones, and no other chain', () => {
  expect(isDemoChain(openRecording().manifest.chainId)).toBe(true)
  expect(isDemoChain('rollcall-demo-12')).toBe(true)
  for (const chainId of ['cosmoshub-4', 'my-rollcall-demo-1', 'rollcall-demo-1-fork', 'demo-1']) {
    expect(isDemoChain(chainId)).toBe(false)
  }
})
