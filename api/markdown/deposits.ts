// The deposits on a proposal as Markdown: what starts the vote, what is missing, and who deposited.
import type { PageAt, PageData } from '../resources/page-data.ts'
import type { Coin } from '../schemas/common.ts'
import type { Deposit } from '../schemas/deposit.ts'
import { coinOf, UNKNOWN } from './parts.ts'
import { blocks, inline, inlineOr, link, list, table } from './text.ts'

type Detail = PageData['proposal']

const coinsOf = (coins: readonly Coin[], at: PageAt): string =>
  coins.map((coin) => coinOf(coin, at)).join(', ') || 'nothing'

const requirementOf = (proposal: Detail, at: PageAt): string => {
  const { depositRequirement: required, totalDeposit } = proposal
  const { minimum, expeditedMinimum, missing, reason } = required
  return list(
    `Deposited: ${coinsOf(totalDeposit, at)}`,
    `Minimum: ${minimum === null ? `${UNKNOWN}: ${inlineOr(reason, '')}` : coinsOf(minimum, at)}`,
    expeditedMinimum === null
      ? null
      : `Minimum of an expedited vote: ${coinsOf(expeditedMinimum, at)}`,
    `Missing: ${missing === null ? UNKNOWN : coinsOf(missing, at)}`,
  )
}

const rowOf = (deposit: Deposit, at: PageAt): string[] => [
  inlineOr(deposit.depositor, `${UNKNOWN}: ${inlineOr(deposit.depositorReason, '')}`),
  coinsOf(deposit.amount, at),
  inline(deposit.time),
  `${deposit.height}`,
  inlineOr(deposit.txHash, 'none'),
]

export const depositsMarkdown = (proposal: Detail, at: PageAt): string => {
  const { deposits, proposalId } = proposal
  const { items, page } = deposits
  const all = link('as JSON', `${at.baseUrl}/api/proposals/${proposalId}/deposits`)
  return blocks(
    '## Deposits',
    requirementOf(proposal, at),
    `${items.length} of ${page.totalItems}, in the order of the log; ${all}.`,
    items.length === 0
      ? null
      : table(
          ['depositor', 'amount', 'time', 'height', 'transaction'],
          items.map((item) => rowOf(item, at)),
        ),
  ).trimEnd()
}
