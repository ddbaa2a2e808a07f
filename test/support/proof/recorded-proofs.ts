// Reads proofs of proposals and light blocks of a real chain, recorded by `npm run record:scenario`.
import { readFileSync } from 'node:fs'
import { hashText, readLightBlock } from '../../../infra/base/proof/light-block.ts'

type Json = Record<string, unknown>
export type LightBlockJson = {
  header: Json & { height: string; time: string; validators_hash: string }
  commit: Json
  validators: readonly {
    address: string
    pub_key: { type: string; value: string }
    voting_power: string
  }[]
}
export type ProofJson = LightBlockJson & {
  height: number
  store: string
  key: string
  value: string
  proofOps: { type: string; key: string; data: string }[]
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
