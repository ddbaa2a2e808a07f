// Addresses are bytes: one canonical form for small and capital letters, and one key for any prefix. Pure.
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import type { GovernanceEvent } from './events.ts'

/** Contracts and groups have 32 bytes: longer than the 90 characters that BIP 173 allows. */
const LENGTH_LIMIT = 256

export type DecodedAddress = { prefix: string; bytes: Uint8Array }

/** A bech32 address in small or in capital letters; undefined for any other text. */
export const decodeAddress = (text: string): DecodedAddress | undefined => {
  try {
    const { prefix, data } = fromBech32(text, LENGTH_LIMIT)
    return { prefix, bytes: data }
  } catch {
    return undefined
  }
}

/** In small letters. */
export const encodeAddress = (prefix: string, bytes: Uint8Array): string =>
  toBech32(prefix, bytes, LENGTH_LIMIT)

const WITHOUT_SMALL = /^[!-`{-~]+1[02-9AC-HJ-NP-Z]{6,}$/

/** Decides without the checksum, which is slow: each value in each event of a block is tested. */
const mayBeInCapitals = (text: string): boolean =>
  text.length <= LENGTH_LIMIT && WITHOUT_SMALL.test(text) && /[A-Z]/.test(text)

/** A text that is no address stays as it is. */
export const canonicalAddress = (text: string): string => {
  if (!mayBeInCapitals(text)) return text
  const decoded = decodeAddress(text)
  return decoded ? encodeAddress(decoded.prefix, decoded.bytes) : text
}

/** A prefix may have digits and any punctuation, but no capital letter; data and checksum follow the last 1. */
const ADDRESS = /^[!-@[-~]+1([02-9ac-hj-np-z]{32,})[02-9ac-hj-np-z]{6}$/

/** Whether a text looks like a canonical address. The checksum is not verified: enough to find known addresses. */
export const isAddressLike = (text: string): boolean =>
  text.length >= 39 && text.length <= LENGTH_LIMIT && ADDRESS.test(text)

/** The same for an account and the operator with its bytes, whatever their prefixes. */
export const addressKey = (canonical: string): string => ADDRESS.exec(canonical)?.[1] ?? canonical

const canonicalOrNull = (text: string | null): string | null => text && canonicalAddress(text)

const canonicalizeVoters = (items: readonly { voter: string }[]): void => {
  for (const item of items) item.voter = canonicalAddress(item.voter)
}

const canonicalizeProposer = (proposal: { proposer: string | null } | null): void => {
  if (proposal) proposal.proposer = canonicalOrNull(proposal.proposer)
}

/** Changes `event`. Logs before 2026 have addresses as their transactions spell them. */
export const canonicalizeAddresses = (event: GovernanceEvent): GovernanceEvent => {
  switch (event.type) {
    case 'rollcall.vote.cast.v1':
      event.data.voter = canonicalOrNull(event.data.voter)
      break
    case 'rollcall.stake.changed.v1':
      canonicalizeVoters([event.data, ...(event.data.others ?? [])])
      break
    case 'rollcall.proposal.deposited.v1':
      event.data.depositor = canonicalOrNull(event.data.depositor)
      canonicalizeProposer(event.data.proposal)
      break
    case 'rollcall.proposal.submitted.v1':
    case 'rollcall.voting.started.v1':
    case 'rollcall.voting.restarted.v1':
    case 'rollcall.proposal.closed.v1':
      canonicalizeProposer(event.data.proposal)
      break
    case 'rollcall.proposal.canceled.v1':
      event.data.sender = canonicalOrNull(event.data.sender)
      break
    case 'rollcall.chain.snapshot.v1':
      canonicalizeVoters(event.data.votes)
      for (const { proposal } of event.data.proposals) canonicalizeProposer(proposal)
      break
    case 'rollcall.tally.evidence.v1':
      canonicalizeVoters(event.data.ballots)
      break
    default:
  }
  return event
}
