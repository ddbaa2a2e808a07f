// Nodes of one signed chain with a block source that verifies headers, and checks for tests of it.
import { expect, onTestFinished } from 'vitest'
import { type BlockContent, createBlockChain } from '../simulator/block-chain.ts'
import type { Member } from '../simulator/signatures.ts'
import { createSignedChain } from '../simulator/signed-chain.ts'
import { createTurns, type SignedChain, type SignedNode } from './signed-nodes.ts'
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
