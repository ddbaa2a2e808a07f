// The deposits of a proposal as Markdown: the minimum, the missing amount, and the list of deposits.
import type { PageContext } from '../document/context.ts'
import { coinsText, reasonText, UNKNOWN } from '../document/markdown/inline.ts'
import { blocks, inline, inlineOr, link, list, table } from '../document/markdown/text.ts'
import type { PageData } from '../resources/page-data.ts'
import type { Deposit } from '../schemas/deposit.ts'

type Detail = PageData['proposal']

const requirementList = (proposal: Detail, at: PageContext): string => {
  const { depositRequirement: required, totalDeposit } = proposal
  const { minimum, expeditedMinimum, missing, reason } = required
  return list(
    `Deposited: ${coinsText(totalDeposit, at)}`,
    `Minimum: ${minimum === null ? `${UNKNOWN}: ${reasonText(reason)}` : coinsText(minimum, at)}`,
    expeditedMinimum === null
      ? null
      : `Minimum of an expedited vote: ${coinsText(expeditedMinimum, at)}`,
    `Missing: ${missing === null ? UNKNOWN : coinsText(missing, at)}`,
  )
}

const depositRow = (deposit: Deposit, at: PageContext): string[] => [
  inlineOr(deposit.depositor, `${UNKNOWN}: ${reasonText(deposit.depositorReason)}`),
  coinsText(deposit.amount, at),
  inline(deposit.time),
  `${deposit.height}`,
  inlineOr(deposit.txHash, 'none'),
]

export const depositsMarkdown = (proposal: Detail, at: PageContext): string => {
  const { deposits, proposalId } = proposal
  const { items, page } = deposits
  const all = link('as JSON', `${at.baseUrl}/api/proposals/${proposalId}/deposits`)
  return blocks(
    '## Deposits',
    requirementList(proposal, at),
    page.totalItems === 0
      ? `No deposits since the first block that Rollcall has; ${all}.`
      : `${items.length} of ${page.totalItems}, oldest first; ${all}.`,
    items.length === 0
      ? null
      : table(
          ['depositor', 'amount', 'time', 'block', 'transaction'],
          items.map((item) => depositRow(item, at)),
        ),
  ).trimEnd()
}
