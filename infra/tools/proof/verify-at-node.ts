// Asks a node that is not trusted for the proof of a proposal and for the light blocks that lead to it, and verifies all of it.

import { hashText, type LightBlock, readLightBlock } from '../../proof/light-block.ts'
import { ProofError } from '../../proof/proof-error.ts'
import { isHop, type TrustedHeader } from '../../proof/trust.ts'
import { type VerifiedProposal, verifyProposal } from '../../proof/verify.ts'
import { AppError } from '../../runtime/errors.ts'
import { createNodeSource, type NodeSource } from './node-source.ts'

export type VerifyAtNode = {
  url: string
  proposalId: bigint
  trusted: TrustedHeader
  /** Of the state; the latest that a header confirms where absent. */
  height: number | undefined
  signal: AbortSignal
}

const chainIdIn = (json: object): string => {
  const { header } = json as { header?: { chain_id?: unknown } }
  if (typeof header?.chain_id === 'string') return header.chain_id
  throw new ProofError('malformed', 'The header of the trusted height has no chain_id.')
}

/** The header has the hash that is trusted, and so its chain id is trusted too. */
const readTrusted = async (
  source: NodeSource,
  { height, hash }: TrustedHeader,
): Promise<LightBlock> => {
  const json = await source.lightBlock(Number(height))
  const block = readLightBlock(json, chainIdIn(json), 'trusted')
  if (hashText(block.hash) === hash.toUpperCase()) return block
  throw new ProofError(
    'not_trusted',
    `The node has the hash ${hashText(block.hash)} at height ${height}, not ${hash.toUpperCase()}.`,
  )
}

/** The light blocks between two where one hop does not lead from the first to the second: the one halfway, and so on. */
const readBetween = async (
  source: NodeSource,
  from: LightBlock,
  to: LightBlock,
): Promise<LightBlock[]> => {
  const halfway = (from.header.height + to.header.height) / 2n
  if (halfway === from.header.height || isHop(from, to)) return []
  const json = await source.lightBlock(Number(halfway))
  const block = readLightBlock(json, from.header.chainId, `lightBlocks[${halfway}]`)
  const before = await readBetween(source, from, block)
  return [...before, block, ...(await readBetween(source, block, to))]
}

export const verifyAtNode = async (options: VerifyAtNode): Promise<VerifiedProposal> => {
  const { proposalId, trusted, signal } = options
  const source = createNodeSource(options.url, signal)
  try {
    const start = await readTrusted(source, trusted)
    const { chainId } = start.header
    const height = options.height ?? (await source.latestHeight()) - 1
    if (height < 1) throw new AppError('EVIDENCE_UNAVAILABLE', 'the node has no header yet')
    const proof = await source.proof(proposalId, height)
    const target = readLightBlock(proof, chainId)
    const between = await readBetween(source, start, target)
    return verifyProposal(proof, { chainId, proposalId, trusted }, [start, ...between])
  } finally {
    source.close()
  }
}
