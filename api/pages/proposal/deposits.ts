// The deposits of a proposal: the progress towards the minimum, and each deposit.
import { html } from '../../../infra/base/html/html.ts'
import type { PageContext } from '../../document/context.ts'
import * as inHtml from '../../document/html/inline.ts'
import {
  code,
  coins,
  drawn,
  type Inline,
  link,
  quoted,
  time,
  transaction,
  UNKNOWN,
} from '../../document/line.ts'
import { addFormat, voterPath } from '../../document/paths.ts'
import {
  type Block,
  column,
  facts,
  folded,
  type ItemColumn,
  numberColumn,
  outsideHtml,
  paragraph,
  picture,
  section,
  table,
} from '../../document/tree.ts'
import { minimumBoxes } from '../../html/deposit-minimum.ts'
import { endsIn } from '../../html/time-left.ts'
import { plainReason, pluralize } from '../../in-words.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import type { Deposit } from '../../schemas/deposit.ts'

const requirements = ({ totalDeposit, depositRequirement }: ProposalPageData): Block => {
  const { minimum, expeditedMinimum, missing, reason } = depositRequirement
  const unknown = ['not known: ', quoted(plainReason(reason ?? ''))]
  return facts(
    ['Deposited', coins(totalDeposit)],
    ['Minimum', minimum === null ? unknown : coins(minimum)],
    expeditedMinimum !== null && ['Minimum of an expedited vote', coins(expeditedMinimum)],
    ['Missing', missing === null ? UNKNOWN : coins(missing)],
  )
}

const describeDepositor = ({ depositor, depositorReason }: Deposit, at: PageContext): Inline => {
  if (depositor !== null) {
    const shown = inHtml.link(voterPath(depositor), html`<code>${depositor}</code>`, at)
    return drawn(shown, code(depositor))
  }
  const reason = inHtml.reasonText(depositorReason, html``)
  return drawn(html`${inHtml.UNKNOWN} <span class="soft small">${reason}</span>`, [
    'not known: ',
    quoted(plainReason(depositorReason ?? '')),
  ])
}

const createColumns = (at: PageContext): readonly ItemColumn<Deposit>[] => [
  column('Depositor', (deposit) => describeDepositor(deposit, at)),
  numberColumn('Amount', ({ amount }) => coins(amount)),
  column('Time', (deposit) => time(deposit.time)),
  numberColumn('Block', ({ height }) => height),
  column('Transaction', ({ txHash, height }) =>
    txHash === null ? code('none') : transaction(txHash, height),
  ),
]

/** Nothing if all deposits are known. The reason is that of the history, which the page has once. */
const describeMissing = ({ deposits: { historyReason, page } }: ProposalPageData): Block => {
  if (historyReason === null) return page.totalItems === 0 && paragraph('No deposits.')
  const which = page.totalItems === null ? 'The deposits' : 'Earlier deposits'
  return paragraph(`${which} are not known: Rollcall does not have the submission.`)
}

const depositList = (proposal: ProposalPageData, at: PageContext): Block[] => {
  const { proposalId, deposits } = proposal
  const { items, page, links } = deposits
  const csv = drawn(
    inHtml.csvLink(links.self, 'these deposits', at),
    link(addFormat(links.self.slice(at.baseUrl.length), 'csv'), 'CSV'),
  )
  const others = (page.totalItems ?? 0) - items.length
  return [
    describeMissing(proposal),
    items.length > 0 &&
      table({ label: 'Depositors', caption: 'Oldest first.', columns: createColumns(at), items }),
    paragraph(
      [
        others > 0 && `${others} more are not shown. `,
        link(`/api/proposals/${proposalId}/deposits`, 'All deposits as JSON'),
        items.length > 0 && [' · ', csv],
      ],
      'small',
    ),
  ]
}

const describePeriod = ({ depositEndTime, asOf }: ProposalPageData, at: PageContext): Block => {
  const end = html`${endsIn(depositEndTime, asOf.time, at)}, at ${inHtml.timestamp(depositEndTime)}`
  return paragraph([
    'The voting period starts when the deposits reach the minimum. The deposit period ends ',
    drawn(end, ['at ', time(depositEndTime)]),
    '.',
  ])
}

const describeTotal = (proposal: ProposalPageData, at: PageContext): readonly Block[] => {
  const { totalItems } = proposal.deposits.page
  const total = [coins(proposal.totalDeposit), '.']
  const all = depositList(proposal, at)
  const required = outsideHtml(requirements(proposal))
  if (!totalItems) return [paragraph(['Total ', total]), required, ...all]
  return [
    paragraph([pluralize(totalItems, 'deposit'), ', total ', total]),
    required,
    folded('deposits-list', 'List of deposits', ...all),
  ]
}

const isInDepositPeriod = ({ status }: ProposalPageData): boolean => status === 'deposit_period'

const wrapInSection = ({ closedTime }: ProposalPageData, ...blocks: readonly Block[]): Block =>
  section({ id: 'deposits', title: 'Deposits', isLive: closedTime === null }, ...blocks)

/** Shown first during the deposit period, otherwise nothing. */
export const writeDepositPeriod = (proposal: ProposalPageData, at: PageContext): Block =>
  isInDepositPeriod(proposal) &&
  wrapInSection(
    proposal,
    describePeriod(proposal, at),
    picture(minimumBoxes(proposal, at), requirements(proposal)),
    ...depositList(proposal, at),
  )

/** Shown after the deposit period, otherwise nothing. */
export const writeDeposits = (proposal: ProposalPageData, at: PageContext): Block =>
  !isInDepositPeriod(proposal) && wrapInSection(proposal, ...describeTotal(proposal, at))
