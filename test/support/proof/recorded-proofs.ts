// Reads proofs of proposals and light blocks of a real chain, recorded by `npm run record:scenario`.
import { readFileSync } from 'node:fs'
import { hashText, readLightBlock } from '../../../infra/base/proof/light-block.ts'

export type LightBlockJson = {
  header: { height: string; time: string; validators_hash: string }
  commit: object
  validators: readonly object[]
}
export type ProofJson = LightBlockJson & {
  height: number
  store: string
  key: string
  value: string
  proofOps: readonly object[]
}
type Recorded = {
  chainId: string
  proposals: { id: string; proof: ProofJson }[]
  lightBlocks: LightBlockJson[]
}

export const RECORDED: Recorded = JSON.parse(
  readFileSync(new URL('../../fixtures/proposal-proofs.json', import.meta.url), 'utf8'),
)

export const computeHash = (block: LightBlockJson, chainId = RECORDED.chainId): string =>
  hashText(readLightBlock(block, chainId).hash)
