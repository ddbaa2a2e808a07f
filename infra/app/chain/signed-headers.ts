// The headers of a simulated chain with the commits of its validators, and proofs of its proposals.
import { Proposal } from 'cosmjs-types/cosmos/gov/v1/gov'
import { hashText } from '../../base/proof/light-block.ts'
import { proposalKey } from '../../base/proof/proposal.ts'
import { type ProvedStore, proveStore } from './proved-store.ts'
import { lightBlockJson, type Member } from './signatures.ts'
import type { ChainState } from './state/chain-state.ts'

export type LightBlockJson = ReturnType<typeof lightBlockJson>
export type MembersAt = (height: number) => readonly Member[]

const FOUR: MembersAt = () =>
  ['ada', 'ben', 'cleo', 'dan'].map((name, n) => ({ name, power: 40 - 10 * n }))

export type SignedHeaders = {
  /** Call it for each height in order, with the state before it; returns the hash of the header. */
  add(block: { height: number; time: string; previousHash: string }): string
  /** The state whose hash is in the next header. */
  commit(state: ChainState): void
  /** In the format of the RPC. */
  json(height: number): LightBlockJson | undefined
  prove(height: number, key: Uint8Array): ReturnType<ProvedStore['prove']>
}

export const createSignedHeaders = (
  chainId: string,
  firstHeight: number,
  membersAt: MembersAt = FOUR,
): SignedHeaders => {
  const blocks: LightBlockJson[] = []
  const stores: ProvedStore[] = []
  return {
    add: ({ height, time, previousHash }) => {
      const appHash = stores.at(-1)?.appHash
      const json = lightBlockJson({
        height,
        chainId,
        time,
        previousHash,
        members: membersAt(height),
        next: membersAt(height + 1),
        ...(appHash ? { appHash: hashText(appHash) } : {}),
      })
      blocks.push(json)
      return json.commit.block_id.hash.toUpperCase()
    },
    commit: ({ proposals }) => {
      const entries = [...proposals].map(([id, proposal]) => ({
        key: proposalKey(BigInt(id)),
        value: Proposal.encode(proposal).finish(),
      }))
      stores.push(proveStore(entries))
    },
    json: (height) => blocks[height - firstHeight],
    prove: (height, key) => stores[height - firstHeight]?.prove(key),
  }
}
