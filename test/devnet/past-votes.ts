// Reads everything that is served of the votes of two products, to compare one that began at the tip with one that saw each block.

import { getJson } from '../support/process/rollcall-process.ts'
import type { ProposalAnswer } from './product-api.ts'

type Page = { items: Record<string, unknown>[]; links: { next: string | null } }

const listAll = async (url: string, first: string): Promise<Record<string, unknown>[]> => {
  const items: Record<string, unknown>[] = []
  for (let path: string | null = first; path; ) {
    const page: Page = await getJson(url, path)
    items.push(...page.items)
    path = page.links.next
  }
  return items
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

const isTime = (name: string, timed: boolean): boolean =>
  !timed && ['time', 'height', 'txHash'].includes(name)

const withoutOrder = (value: unknown, timed: boolean): unknown => {
  if (Array.isArray(value)) return value.map((each) => withoutOrder(each, timed))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !NOT_COMPARED.has(name) && !isTime(name, timed))
      .map(([name, each]) => [name, withoutOrder(each, timed)]),
  )
}

const byText = (one: unknown, other: unknown): number =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1

/** The tally of each round, the votes of pools, and the ballots. `timed`: with heights, times and transactions of votes. */
export const readVotes = async (
  url: string,
  { proposalId, round }: Pick<ProposalAnswer, 'proposalId' | 'round'>,
  { timed }: { timed: boolean },
) => {
  const path = `/api/proposals/${proposalId}`
  const rounds = Array.from({ length: round }, (_, index) => index + 1)
  const lists = await Promise.all(
    rounds.flatMap((number) =>
      ['votes', 'ballots'].map(async (list) => {
        const items = await listAll(url, `${path}/${list}?round=${number}`)
        return items.map((item) => withoutOrder(item, timed)).toSorted(byText)
      }),
    ),
  )
  const { tally, status, failedReason, title } = await getJson<ProposalAnswer>(url, path)
  return { tally: withoutOrder(tally, timed), status, failedReason, title, lists }
}
