// What the tests of devnets read of the product's API.
import { getJson, readList } from '../support/process/rollcall-process.ts'
import type { Counts } from './node-state.ts'

type Options = { option: string; weight: string }[]

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
    | (Counts & {
        final: boolean
        matchesChain: string
        matchesChainReason: string | null
        ballots: number | null
        bondedTokens: string | null
        turnout: string | null
      })
    | null
}
export type PoolAnswer = {
  pool: { operatorAddress: string }
  vote: { options: Options } | null
  tally: Counts
}
/** What depends on the position in the log, or on which events were seen. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'asOf',
  'rank',
  'links',
  'page',
  'history',
  'historyReason',
  'minDeposit',
  'minDepositReason',
  'provedAt',
])
const OF_VOTES: ReadonlySet<string> = new Set(['time', 'height', 'txHash'])

/**
 * The tally of each round, the votes of pools, and the ballots: the same of a product that saw each block and of one that began at
 * the tip. `timed`: with heights, times and transactions of votes. `without` is an account whose ballots are left out.
 */
export const readVotes = async (
  url: string,
  { proposalId, round }: ProposalAnswer,
  { timed, without }: { timed: boolean; without: string },
) => {
  const path = `/api/proposals/${proposalId}`
  const print = (item: unknown): string =>
    JSON.stringify(item, (name, value) =>
      NOT_COMPARED.has(name) || (!timed && OF_VOTES.has(name)) ? undefined : value,
    )
  const { tally, status, failedReason, title } = await getJson<ProposalAnswer>(url, path)
  const lists: string[] = []
  for (let number = 1; number <= round; number++) {
    for (const list of ['votes', 'ballots']) {
      const items = await readList(url, `${path}/${list}?round=${number}`)
      lists.push(
        ...items
          .map(print)
          .filter((text) => !text.includes(without))
          .sort(),
      )
    }
  }
  return { tally: print(tally), status, failedReason, title, lists }
}
