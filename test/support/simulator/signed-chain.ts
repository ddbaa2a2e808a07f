// Signs the blocks of a chain: headers with valid hashes, and the commits of its validators.
import { toHex } from '@cosmjs/encoding'
import { merkleRoot } from '../../../infra/base/proof/header.ts'
import { alterChain } from './block-chain.ts'
import { sha256 } from './blocks.ts'
import type { ServedBlock, ServedChain } from './rpc/served-chain.ts'
import { lightBlockJson, type Member } from './signatures.ts'

/** `{ header, commit, validators }` in the format of the RPC. */
export type LightBlockJson = ReturnType<typeof lightBlockJson>
export type MembersAt = (height: number) => readonly Member[]

export type Signed<Chain extends ServedChain> = Omit<Chain, 'signed'> & {
  signed(height: number): LightBlockJson
}

export type SigningOptions = {
  membersAt?: MembersAt
  /** The `data_hash` of a header. */
  dataHashOf?: (txs: readonly Uint8Array[]) => string
  /** In upper-case hex: of the state before the block. Any by default. */
  appHashAt?: (height: number) => string | undefined
}

const FOUR: readonly Member[] = [
  { name: 'a', power: 40 },
  { name: 'b', power: 30 },
  { name: 'c', power: 20 },
  { name: 'd', power: 10 },
]

export const computeDataHash = (txs: readonly Uint8Array[]): string =>
  toHex(merkleRoot(txs.map((tx) => Buffer.from(sha256(tx), 'hex')))).toUpperCase()

type Blocks = Pick<ServedChain, 'chainId' | 'firstHeight' | 'block'>

/** Each block is signed once. Call it in the order of the heights: a header has the hash of the one before. */
export const createSigner = (
  chain: Blocks,
  { membersAt = () => FOUR, dataHashOf = computeDataHash, appHashAt }: SigningOptions = {},
) => {
  const known = new Map<number, LightBlockJson>()
  const sign = (height: number): LightBlockJson => {
    const { time, txs = [] } = chain.block(height)
    const appHash = appHashAt?.(height)
    return lightBlockJson({
      height,
      chainId: chain.chainId,
      time,
      members: membersAt(height),
      next: membersAt(height + 1),
      previousHash: hashAt(height - 1),
      dataHash: dataHashOf(txs.map(({ bytes }) => bytes)),
      ...(appHash === undefined ? {} : { appHash }),
    })
  }
  const signed = (height: number): LightBlockJson => {
    const block = known.get(height) ?? sign(height)
    known.set(height, block)
    return block
  }
  const hashAt = (height: number): string =>
    height < chain.firstHeight ? '' : signed(height).commit.block_id.hash
  /** The block with the hashes of its header. */
  const block = (height: number): ServedBlock => ({
    ...chain.block(height),
    hash: hashAt(height),
    previousHash: hashAt(height - 1),
  })
  return { signed, block }
}

/** The same blocks with valid hashes and signatures. Existing blocks are signed at once. */
export const createSignedChain = <Chain extends ServedChain>(
  chain: Chain,
  options: SigningOptions = {},
): Signed<Chain> => {
  const { signed, block } = createSigner(chain, options)
  for (let height = chain.firstHeight; height <= chain.tip; height++) signed(height)
  return Object.assign(alterChain(chain, { block }), { signed })
}
