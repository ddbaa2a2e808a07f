// The whole proof of a proposal, step by step: value → app hash → header → commit → trusted header.
import { equalBytes } from '@noble/curves/utils.js'
import { computeAppHash, readProofOps } from './existence.ts'
import { formatSeconds } from './header.ts'
import { readJson } from './json-reader.ts'
import { hashText, type LightBlock, readLightBlock } from './light-block.ts'
import { ensure } from './proof-error.ts'
import { decodeProposal, GOV_STORE, type ProvedProposal, proposalKey } from './proposal.ts'
import { ensurePath } from './trust.ts'
import type { TrustedHeader } from './trusted-header.ts'

/** The requested proposal and the trusted header, known without the proof. */
export type Claim = { chainId: string; proposalId: bigint; trusted: TrustedHeader }

/** One step of the proof, with a sentence about what it proves. */
export type ProofStep = { step: 'value' | 'header' | 'signatures' | 'trust'; proves: string }

export type VerifiedProposal = {
  proposal: ProvedProposal
  /** The height of the state that has this proposal. */
  height: bigint
  /** The light blocks from the trusted header to the header of the proof. */
  path: readonly LightBlock[]
  steps: readonly ProofStep[]
}

/** Names the time of the trusted header: a user decides how old it may be. */
const describeTrust = ([trusted, ...hops]: readonly LightBlock[]): string => {
  if (!trusted || hops.length === 0) return 'This header is the one that you trust.'
  const { height, time } = trusted.header
  const start = `From the header ${height} of ${formatSeconds(time)} that you trust`
  const lead = hops.length === 1 ? 'one hop leads' : `${hops.length} hops lead`
  const heights = hops.map(({ header }) => header.height).join(', ')
  return `${start}, ${lead} to it: ${heights}. At each hop, validators that you already trusted have signed.`
}

const describeSteps = (proposal: ProvedProposal, path: readonly LightBlock[]): ProofStep[] => {
  const block = path.at(-1) as LightBlock
  const { height, appHash } = block.header
  return [
    {
      step: 'value',
      proves: `The store ${GOV_STORE} has proposal ${proposal.id} with the status ${proposal.status} in the state whose app hash is ${hashText(appHash)}.`,
    },
    {
      step: 'header',
      proves: `The header of height ${height} names this app hash; its own hash is ${hashText(block.hash)}.`,
    },
    {
      step: 'signatures',
      proves: `Validators with ${block.power} of the power of ${block.totalPower} signed this header: more than two thirds.`,
    },
    { step: 'trust', proves: describeTrust(path) },
  ]
}

/** A proposal in the state of a signed header. The path from a trusted header is not checked yet. */
export type SignedProposal = { proposal: ProvedProposal; height: bigint; block: LightBlock }

/** Verifies the proof without the path from the trusted header. */
export const readSignedProposal = (
  json: unknown,
  { chainId, proposalId }: Omit<Claim, 'trusted'>,
): SignedProposal => {
  const reader = readJson(json)
  const height = reader.member('height').integer({ from: 1n })
  const store = reader.member('store').text()
  const key = reader.member('key').hex()
  const value = reader.member('value').base64()
  ensure(
    store === GOV_STORE,
    'wrong_store',
    `The proof is of the store ${store}, not of ${GOV_STORE}.`,
  )
  ensure(
    equalBytes(key, proposalKey(proposalId)),
    'wrong_key',
    `The key of the proof is not that of proposal ${proposalId}.`,
  )
  const appHash = computeAppHash({ store, key, value }, readProofOps(reader.member('proofOps')))
  const block = readLightBlock(json, chainId)
  ensure(
    block.header.height === height + 1n,
    'wrong_height',
    `The state of height ${height} is in the header of height ${height + 1n}, not of ${block.header.height}.`,
  )
  ensure(
    equalBytes(block.header.appHash, appHash),
    'wrong_app_hash',
    `The proof leads to the app hash ${hashText(appHash)}; the header has ${hashText(block.header.appHash)}.`,
  )
  const proposal = decodeProposal(value)
  ensure(
    proposal.id === `${proposalId}`,
    'wrong_value',
    `The value is of proposal ${proposal.id}, not of ${proposalId}.`,
  )
  return { proposal, height, block }
}

/** `before`: the light blocks before the block of the proof, from that of the trusted header on, in their order. */
export const traceToTrusted = (
  { proposal, height, block }: SignedProposal,
  trusted: TrustedHeader,
  before: readonly LightBlock[],
): VerifiedProposal => {
  const path = [...before, block]
  ensurePath(trusted, path)
  return { proposal, height, path, steps: describeSteps(proposal, path) }
}

/**
 * `json`: the response of `GET /api/proposals/{proposalId}/proof` with its validators. `before`: light blocks that
 * `readLightBlock` has checked, from that of the trusted header on, in their order; none if the header of the proof is trusted.
 * Throws a `ProofError` for the first problem.
 */
export const verifyProposal = (
  json: unknown,
  { trusted, ...claim }: Claim,
  before: readonly LightBlock[] = [],
): VerifiedProposal => traceToTrusted(readSignedProposal(json, claim), trusted, before)
