// Extends trust from a trusted header to a later one, hop by hop, like a light client of CometBFT. For each hop,
// already trusted validators have signed the block.
import { equalBytes } from '@noble/curves/utils.js'
import { isLater } from './header.ts'
import { hashText, type LightBlock } from './light-block.ts'
import { ensure, ProofError } from './proof-error.ts'
import type { TrustedHeader } from './trusted-header.ts'
import { sumPower } from './validators.ts'

const toPowersByAddress = ({ validators }: LightBlock): ReadonlyMap<string, bigint> =>
  new Map(validators.map(({ address, power }) => [address, power]))

/** More than a third of the trusted power signed the later block, so at least one honest validator did. */
const isSignedByTrusted = (trusted: LightBlock, later: LightBlock): boolean => {
  const powers = toPowersByAddress(trusted)
  const signed = later.commit.signatures.reduce(
    (sum, signature) =>
      signature?.vote === 'commit' ? sum + (powers.get(signature.address) ?? 0n) : sum,
    0n,
  )
  return 3n * signed > sumPower(trusted.validators)
}

const isNext = (trusted: LightBlock, later: LightBlock): boolean =>
  later.header.height === trusted.header.height + 1n

/** Whether trust extends from a trusted block to a later one of its chain in one hop. */
export const isHop = (trusted: LightBlock, later: LightBlock): boolean => {
  const [from, to] = [trusted.header, later.header]
  if (to.chainId !== from.chainId || to.height <= from.height) return false
  if (!isLater(to.time, from.time)) return false
  return isNext(trusted, later)
    ? equalBytes(later.header.validatorsHash, trusted.header.nextValidatorsHash)
    : isSignedByTrusted(trusted, later)
}

export const ensureTrusted = ({ hash }: LightBlock, trusted: TrustedHeader): void =>
  ensure(
    hashText(hash) === trusted.hash.toUpperCase(),
    'not_trusted',
    // The other hash is not named: a hurried reader would copy it, which proves nothing.
    `The header of height ${trusted.height} does not have the trusted hash ${trusted.hash.toUpperCase()}. Compare the hash with where you found it. Do not copy a hash from the service that you verify.`,
  )

const ensureStart = (start: LightBlock, trusted: TrustedHeader): void => {
  ensure(
    start.header.height === trusted.height,
    'trusted_unknown',
    `There is no light block of the trusted height ${trusted.height}.`,
  )
  ensureTrusted(start, trusted)
}

/** Trust extends to later headers only. An earlier header would need the hash links of every header in between. */
export const ensureNotLater = (trusted: TrustedHeader, height: bigint): void =>
  ensure(
    trusted.height <= height,
    'trusted_later',
    `The trusted header is of height ${trusted.height}, after the header ${height} of the proof. Trust the header of height ${height} or an earlier one.`,
  )

export const noHopFrom = ({ header }: LightBlock): ProofError =>
  new ProofError(
    'not_trusted',
    `No light block after height ${header.height} is signed by more than a third of the trusted power. A light block in between is missing, or the chain is another one.`,
  )

/** Throws unless trust extends along the path: from the trusted header, hop by hop, to the last block. */
export const ensurePath = (trusted: TrustedHeader, path: readonly LightBlock[]): void => {
  const target = path.at(-1)
  if (target) ensureNotLater(trusted, target.header.height)
  for (const [n, block] of path.entries()) {
    const before = path[n - 1]
    if (before && !isHop(before, block)) throw noHopFrom(before)
    if (!before) ensureStart(block, trusted)
  }
}
