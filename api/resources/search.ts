// What the search box finds: one page that the text names, or the validators that match. Pure.
import type { Static } from 'typebox'
import type { AddressPrefixes } from '../read/queries/addresses.ts'
import { parseProposalNumber } from '../read/text-search.ts'
import type { Pool } from '../schemas/pool.ts'
import type { ProposalPage } from '../schemas/proposal.ts'
import { lookUpAddress, toCanonical } from './address.ts'
import { findNamedPools, searchPools } from './pool-search.ts'

/** What matches a text that names no single page. `proposals` is the first page of their list. */
export type Found = {
  text: string
  pools: readonly Pool[]
  poolCount: number
  proposals: Static<typeof ProposalPage>
}

export type SearchContext = {
  prefixes: AddressPrefixes | null
  pools: readonly Pool[]
  hasProposal: (proposalId: string) => boolean
}

/** As long as an address at least, without a sign that no address has. */
const LIKE_ADDRESS = /^(?:0x[0-9a-f]{20,}|[a-z]{1,20}1[02-9ac-hj-np-z]{30,})$/i

const isLikeAddress = (text: string): boolean =>
  LIKE_ADDRESS.test(text) || toCanonical(text) !== undefined

/** The path of the page for an address; the look-up for one with a typing error, which says what is wrong. */
const findAddressPage = (text: string, prefixes: AddressPrefixes | null): string => {
  const found = lookUpAddress(text, prefixes)
  return 'path' in found ? found.path : `/voters?${new URLSearchParams({ address: text })}`
}

/** The path of the proposal, the voter or the validator that a text names; undefined if it names none, or several. */
export const findNamedPage = (
  given: string,
  { prefixes, pools, hasProposal }: SearchContext,
): string | undefined => {
  const text = given.trim()
  const number = parseProposalNumber(text)
  if (number !== undefined && hasProposal(number)) return `/proposals/${number}`
  if (isLikeAddress(text)) return findAddressPage(text, prefixes)
  const [pool, ...others] = findNamedPools(pools, text)
  if (pool === undefined || others.length > 0) return undefined
  return `/pools/${pool.operatorAddress}`
}

/** In the page of results. The page of validators has all of them. */
const MAX_POOLS = 10

/** The validators that match, largest first, and their number. */
export const findPools = (pools: readonly Pool[], text: string) => {
  const found = searchPools(pools, text)
  return { pools: found.slice(0, MAX_POOLS), poolCount: found.length }
}
