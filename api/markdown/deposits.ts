// The deposits on a proposal as Markdown: what starts the vote, what is missing, and who deposited.
import type { PageAt, PageData } from '../resources/page-data.ts'
import type { Coin } from '../schemas/common.ts'
import type { Deposit } from '../schemas/deposit.ts'
import { UNKNOWN } from './parts.ts'
import { blocks, inline, inlineOr, link, list, table } from './text.ts'

type Detail = PageData['proposal']

const coinsOf = (coins: readonly Coin[]): string =>
  coins.map(({ denom, amount }) => `${inline(amount)} ${inline(denom)}`).join(', ') || 'nothing'

const requirementOf = ({ depositRequirement: required, totalDeposit }: Detail): string => {
  const { minimum, expeditedMinimum, missing, reason } = required
  return list(
    `Deposited: ${coinsOf(totalDeposit)}`,
    `Minimum: ${minimum === null ? `${UNKNOWN}: ${inlineOr(reason, '')}` : coinsOf(minimum)}`,
    expeditedMinimum === null ? null : `Minimum of an expedited vote: ${coinsOf(expeditedMinimum)}`,
    `Missing: ${missing === null ? UNKNOWN : coinsOf(missing)}`,
  )
}

const rowOf = (deposit: Deposit): string[] => [
  inlineOr(deposit.depositor, `${UNKNOWN}: ${inlineOr(deposit.depositorReason, '')}`),
  coinsOf(deposit.amount),
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
    requirementOf(proposal),
    `${items.length} of ${page.totalItems}, the first one first; ${all}.`,
    items.length === 0
      ? null
      : table(['depositor', 'amount', 'time', 'height', 'transaction'], items.map(rowOf)),
  ).trimEnd()
}
