// Nodes of a signed chain that serve its blocks, commits and validators, honestly or with false data.
import { toBase64 } from '@cosmjs/encoding'
import { expect, onTestFinished } from 'vitest'
import {
  alterChain,
  type BlockChain,
  type BlockContent,
  createBlockChain,
} from '../simulator/block-chain.ts'
import type { NodeOptions } from '../simulator/nodes/node.ts'
import { internalError } from '../simulator/rpc/reply.ts'
import type { ChainTx, ServedChain } from '../simulator/rpc/served-chain.ts'
import { lightBlockJson, type Member } from '../simulator/signatures.ts'
import { createSignedChain, type LightBlockJson, type Signed } from '../simulator/signed-chain.ts'
import { type SourceRig, type SourceRigOptions, startSourceRig } from './source-rig.ts'

export const SIGNED_TIP = 12
export const votesAt = (height: number): BlockContent => ({
  txs: ['vote yes', 'vote no'].map((text) => ({ bytes: Buffer.from(`${text} ${height}`) })),
})

export const createVotes = (membersAt?: (height: number) => readonly Member[]): SignedChain => {
  const blocks = Array.from({ length: SIGNED_TIP }, (_, index) => votesAt(index + 1))
  return createSignedChain(createBlockChain({ blocks }), membersAt ? { membersAt } : {})
}

/** The first node receives the first call. */
export const startVerifiedRig = async (
  chain: SignedChain,
  nodes: readonly SignedNode[],
  options: Pick<SourceRigOptions, 'trustedHeader' | 'prepare'> = {},
) => {
  const rig = await startSourceRig({
    chain,
    nodes: nodes.map(createTurns()),
    verifyHeaders: true,
    // The timeout is long, so that a busy machine does not reject a slow node.
    pool: { timeoutMs: 10_000 },
    ...options,
  })
  onTestFinished(() => rig.stop())
  /** The reasons why the endpoint was rejected, once per kind of failure. */
  const refusals = (index: number): unknown[] => {
    const { host } = new URL(rig.nodes[index]?.url ?? '')
    return rig.lines
      .filter(({ msg, endpoint }) => msg === 'endpoint failed' && endpoint === host)
      .map(({ reason }) => reason)
  }
  return { ...rig, refusals }
}

/** Follows the chain through these nodes up to its tip; every block was delivered unchanged. */
export const followToTip = async (
  chain: SignedChain,
  nodes: readonly SignedNode[],
  start?: Parameters<SourceRig['follow']>[0],
) => {
  const rig = await startVerifiedRig(chain, nodes)
  void rig.follow(start)
  await rig.reached(chain.tip)
  expectWhole(rig, start?.from)
  return rig
}

/** Every block of the chain was delivered unchanged. */
export const expectWhole = ({ chain, delivered }: SourceRig, from = 1) => {
  const heights = Array.from({ length: chain.tip - from + 1 }, (_, index) => from + index)
  expect(delivered.map(({ block: { height } }) => height)).toEqual(heights)
  expect(delivered.map(({ block: { hash } }) => hash)).toEqual(
    heights.map((height) => chain.block(height).hash),
  )
  expect(delivered.map(({ block: { txs } }) => txs.map(({ bytes }) => `${bytes}`))).toEqual(
    heights.map((height) => chain.block(height).txs?.map(({ bytes }) => `${bytes}`) ?? []),
  )
}

export type SignedChain = Signed<BlockChain>

/** The data of a block, as a node answers with it. */
export type BlockData = LightBlockJson & {
  height: number
  blockId: { hash: string }
  /** In base64, and what each of them did. */
  txs: string[]
  results: (Omit<ChainTx, 'bytes'> | undefined)[]
}
/** Changes the data that a node serves for a height. */
export type Lie = (blockData: BlockData) => void

export type SignedNode = Pick<NodeOptions, 'chain' | 'reply'>

/** A node of the chain. With a lie, it serves false data for every height, or where `when` is true. */
export const signedNode = (
  chain: Signed<ServedChain>,
  lie: Lie = () => {},
  when: (height: number) => boolean = () => true,
): SignedNode => {
  const dataAt = (height: number): BlockData => {
    const signed = structuredClone(chain.signed(height))
    const { txs = [] } = chain.block(height)
    const blockId = structuredClone(signed.commit.block_id)
    const base64 = txs.map(({ bytes }) => toBase64(bytes))
    const results = txs.map(({ bytes: _, ...result }) => result)
    const data = { ...signed, height, blockId, txs: base64, results }
    if (when(height)) lie(data)
    return data
  }
  const block = (height: number) => {
    const { header, blockId, txs, results } = dataAt(height)
    const shown = txs.map((tx, at) => ({ bytes: Buffer.from(tx, 'base64'), ...results[at] }))
    return { ...chain.block(height), time: header.time, hash: blockId.hash, txs: shown }
  }
  return { chain: alterChain(chain, { block, signed: dataAt }) }
}

const LIARS: readonly Member[] = [{ name: 'liar', power: 1 }]

/** A block signed by a false validator set and linked to the block before. */
export const signedByLiars: Lie = (blockData) => {
  const { header } = blockData
  const forged = lightBlockJson({
    height: blockData.height,
    members: LIARS,
    chainId: header.chain_id,
    time: header.time,
    dataHash: header.data_hash,
    previousHash: header.last_block_id.hash,
  })
  Object.assign(blockData, forged, { blockId: forged.commit.block_id })
}

/** A later node has a height only after a call to the first node: the order does not depend on speed. */
export const createTurns = () => {
  const requested = new Set<string>()
  return ({ chain }: SignedNode, order: number): SignedNode => ({
    chain,
    reply: async (call, honest) => {
      const height = Number(call.params['height'] ?? 0)
      const request = `${call.method} ${height}`
      if (order === 0) requested.add(request)
      if (!['block', 'commit'].includes(call.method) || requested.has(request)) return honest(call)
      const reason = `height ${height} must be less than or equal to the current blockchain height 0`
      return { error: internalError(reason) }
    },
  })
}
