// Verifies a proposal with a proof and light blocks from an untrusted source: a node, or the API of Rollcall.
import type { VerifySignature } from './commit.ts'
import { readJson } from './json-reader.ts'
import { type LightBlock, readLightBlock } from './light-block.ts'
import { ensure } from './proof-error.ts'
import { ensureNotLater, ensureTrusted, isHop, noHopFrom } from './trust.ts'
import type { TrustedHeader } from './trusted-header.ts'
import { readSignedProposal, traceToTrusted, type VerifiedProposal } from './verify.ts'

/** JSON in the form for `readLightBlock`. Each call may reject. */
export type LightBlockSource = {
  lightBlock(height: bigint): Promise<unknown>
  /** The height of a light block between two heights, as close to the middle as possible. Null if there is none. */
  heightBetween(from: bigint, to: bigint): Promise<bigint | null>
  /** A faster function than `verifyEd25519`, if the platform has one. */
  verifySignature?: VerifySignature
}

export type ProofSource = LightBlockSource & {
  /** JSON in the form for `verifyProposal`. */
  proof(): Promise<unknown>
}

/** For a node, which has the light blocks of all heights. */
export const middleHeight: LightBlockSource['heightBetween'] = async (from, to) =>
  to - from > 1n ? (from + to) / 2n : null

const readChainId = (json: unknown, path: string): string =>
  readJson(json, path).member('header').member('chain_id').text()

/** Without `chainId`, uses the chain ID of the header. */
const readLightBlockAt = async (
  source: LightBlockSource,
  height: bigint,
  chainId?: string,
): Promise<LightBlock> => {
  const json = await source.lightBlock(height)
  const path = `lightBlocks[${height}]`
  const { verifySignature } = source
  const options = verifySignature ? { path, verifySignature } : { path }
  const block = readLightBlock(json, chainId ?? readChainId(json, path), options)
  ensure(
    block.header.height === height,
    'wrong_height',
    `The light block of height ${height} has a header of height ${block.header.height}.`,
  )
  return block
}

/**
 * Finds light blocks between two blocks if one hop is too long. `from` is trusted, and so is each reached block.
 * A source that invents blocks is refused after a number of reads that is logarithmic in the heights.
 */
export const findBetween = async (
  source: LightBlockSource,
  from: LightBlock,
  to: LightBlock,
): Promise<LightBlock[]> => {
  if (isHop(from, to)) return []
  const height = await source.heightBetween(from.header.height, to.header.height)
  if (height === null) throw noHopFrom(from)
  const block = await readLightBlockAt(source, height, from.header.chainId)
  const before = await findBetween(source, from, block)
  return [...before, block, ...(await findBetween(source, block, to))]
}

/** The trusted hash covers the chain ID. */
const readTrusted = async (
  source: LightBlockSource,
  trusted: TrustedHeader,
): Promise<LightBlock> => {
  const block = await readLightBlockAt(source, trusted.height)
  ensureTrusted(block, trusted)
  return block
}

/** The block of a height, with a path to it from the trusted header. Throws a `ProofError` for the first problem. */
export const readTrustedBlock = async (
  source: LightBlockSource,
  trusted: TrustedHeader,
  height: bigint,
): Promise<LightBlock> => {
  ensureNotLater(trusted, height)
  const start = await readTrusted(source, trusted)
  if (height === trusted.height) return start
  const block = await readLightBlockAt(source, height, start.header.chainId)
  await findBetween(source, start, block)
  return block
}

export type ProposalToVerify = { proposalId: bigint; trusted: TrustedHeader }

/** Throws a `ProofError` for the first problem. */
export const verifyFromSource = async (
  source: ProofSource,
  { proposalId, trusted }: ProposalToVerify,
): Promise<VerifiedProposal> => {
  const json = await source.proof()
  const target = readJson(json).member('header').member('height').integer({ from: 1n })
  ensureNotLater(trusted, target)
  const start = trusted.height === target ? null : await readTrusted(source, trusted)
  const chainId = start?.header.chainId ?? readChainId(json, 'proof')
  const signed = readSignedProposal(json, { chainId, proposalId })
  const between = start ? [start, ...(await findBetween(source, start, signed.block))] : []
  return traceToTrusted(signed, trusted, between)
}
