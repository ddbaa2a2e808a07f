// A client of the product's read API that follows the published contract and reads all pages.
import { getJson } from '../support/process/rollcall-process.ts'

export type Amounts = { yes: string; no: string; abstain: string; noWithVeto: string }
export type ProposalAnswer = {
  proposalId: string
  title: string
  summary: string
  metadata: string
  proposer: string
  status: string
  expedited: boolean
  round: number
  failedReason: string | null
  outcomeReason: string | null
  submitTime: string | null
  depositEndTime: string | null
  votingStartTime: string | null
  votingEndTime: string | null
  history: string
  totalDeposit: { denom: string; amount: string }[]
  tally:
    | (Amounts & {
        final: boolean
        matchesChain: string
        matchesChainReason: string | null
        ballots: number | null
        bondedTokens: string | null
        turnout: string | null
        rule: { name: string | null; reported: boolean }
        stakeAt: number | null
      })
    | null
  asOf: { height: number }
}
export type VoteRecord = {
  pool: { operatorAddress: string }
  vote: { options: { option: string; weight: string }[] } | null
  tally: Amounts
}
type Page<Item> = {
  items: Item[]
  page: { totalItems: number }
  links: { next: string | null }
  asOf: { height: number }
}

export type Walked<Item> = { items: Item[]; heights: number[] }

async function walk<Item>(url: string, first: string): Promise<Walked<Item>> {
  const walked: Walked<Item> = { items: [], heights: [] }
  let path: string | null = first
  while (path) {
    const answer: Page<Item> = await getJson(url, path)
    walked.items.push(...answer.items)
    walked.heights.push(answer.asOf.height)
    path = answer.links.next
  }
  return walked
}

export const listProposals = (url: string) => walk<ProposalAnswer>(url, '/api/proposals')
/** Votes of the latest round, or of the given one. */
export const listVotes = (url: string, id: string, round?: number) =>
  walk<VoteRecord>(url, `/api/proposals/${id}/votes${round === undefined ? '' : `?round=${round}`}`)
export const getProposal = (url: string, id: string) =>
  getJson<ProposalAnswer>(url, `/api/proposals/${id}`)
