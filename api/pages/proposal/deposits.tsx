// The deposits of a proposal: the progress towards the minimum, and each deposit.
import type { Coin } from '../../../ingest/contract/facts.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import type { Deposit } from '../../schemas/deposit.ts'
import { RuleBox } from '../../view/bar.tsx'
import { CsvLink, Details, type ItemColumn, Section, Table } from '../../view/blocks.tsx'
import {
  Code,
  CoinAmount,
  Coins,
  Drawn,
  Link,
  OutsideHtml,
  Reason,
  Share,
  Time,
  TimeLeft,
  Transaction,
  Unknown,
} from '../../view/parts.tsx'
import { voterPath } from '../../view/paths.ts'
import { pluralize } from '../../words/in-words.ts'
import { toShare } from '../../words/shares.ts'

type Of = { of: ProposalPageData }
type Denom = { denom: string; deposited: bigint; minimum: bigint }

/** Only the denoms of the minimum: other denoms do not count towards it. */
const toDenoms = (total: readonly Coin[], minimum: readonly Coin[]): Denom[] =>
  minimum.map(({ denom, amount }) => ({
    denom,
    deposited: BigInt(total.find((each) => each.denom === denom)?.amount ?? '0'),
    minimum: BigInt(amount),
  }))

function DenomBox({ denom, deposited, minimum }: Denom) {
  const towards = deposited < minimum ? deposited : minimum
  const toCoin = (amount: bigint) => <CoinAmount coin={{ denom, amount: `${amount}` }} />
  return (
    <RuleBox
      name={[toCoin(deposited), ' deposited']}
      value={<Share of={toShare(towards, minimum)} />}
      limit={['minimum: ', toCoin(minimum)]}
      outcome={towards === minimum ? 'reached' : [toCoin(minimum - towards), ' missing']}
      bar={{ segments: [{ fill: 'yes', value: towards }], whole: minimum }}
    />
  )
}

/** A box for each denom of the minimum. */
function Progress({ of: { totalDeposit, depositRequirement, expedited } }: Of) {
  const { minimum, expeditedMinimum, reason } = depositRequirement
  const applies = expedited ? expeditedMinimum : minimum
  if (applies === null) {
    return (
      <p>
        Deposited: <Coins of={totalDeposit} />. The minimum is not known: <Reason of={reason} />.
      </p>
    )
  }
  return (
    <>
      <div class="rules">
        {toDenoms(totalDeposit, applies).map((each) => (
          <DenomBox {...each} />
        ))}
      </div>
      {expeditedMinimum !== null && minimum !== null && (
        <p class="small soft">
          This is the minimum of an expedited vote. A regular vote starts with{' '}
          <Coins of={minimum} />.
        </p>
      )}
    </>
  )
}

function Depositor({ of: { depositor, depositorReason } }: { of: Deposit }) {
  if (depositor !== null) {
    return (
      <Link to={voterPath(depositor)}>
        <code>{depositor}</code>
      </Link>
    )
  }
  return (
    <>
      <Unknown />
      <OutsideHtml>:</OutsideHtml>{' '}
      <span class="soft small">
        <Reason of={depositorReason} otherwise="" />
      </span>
    </>
  )
}

const COLUMNS: readonly ItemColumn<Deposit>[] = [
  { name: 'Depositor', cell: (deposit) => <Depositor of={deposit} /> },
  { name: 'Amount', isNumber: true, cell: ({ amount }) => <Coins of={amount} /> },
  { name: 'Time', cell: ({ time }) => <Time of={time} /> },
  { name: 'Block', isNumber: true, cell: ({ height }) => height },
  {
    name: 'Transaction',
    cell: ({ txHash, height }) =>
      txHash === null ? <Code>none</Code> : <Transaction txHash={txHash} height={height} />,
  },
]

/** Nothing if all deposits are known. The reason is that of the history, which the page has once. */
function Missing({ of: { historyReason, page } }: { of: ProposalPageData['deposits'] }) {
  if (historyReason === null) return page.totalItems === 0 ? <p>No deposits.</p> : null
  const which = page.totalItems === null ? 'The deposits' : 'Earlier deposits'
  return <p>{which} are not known: Rollcall does not have the submission.</p>
}

function DepositList({ of: { proposalId, deposits } }: Of) {
  const { items, page, links } = deposits
  const others = (page.totalItems ?? 0) - items.length
  return (
    <>
      <Missing of={deposits} />
      {items.length > 0 && (
        <Table label="Depositors" caption="Oldest first." columns={COLUMNS} items={items} />
      )}
      <p class="small">
        {others > 0 && `${others} more are not shown. `}
        <Link to={`/api/proposals/${proposalId}/deposits`}>All deposits as JSON</Link>
        {items.length > 0 && [' · ', <CsvLink url={links.self} names="these deposits" />]}
      </p>
    </>
  )
}

function Total({ of: proposal }: Of) {
  const { totalItems } = proposal.deposits.page
  const all = <DepositList of={proposal} />
  return (
    <>
      <p>
        {totalItems ? `${pluralize(totalItems, 'deposit')}, total ` : 'Total '}
        <Coins of={proposal.totalDeposit} />.
      </p>
      <OutsideHtml>
        <Progress of={proposal} />
      </OutsideHtml>
      {totalItems ? (
        <Details id="deposits-list" summary="List of deposits">
          {all}
        </Details>
      ) : (
        all
      )}
    </>
  )
}

const isInDepositPeriod = ({ status }: ProposalPageData): boolean => status === 'deposit_period'

/** Shown first during the deposit period, otherwise nothing. */
export function DepositPeriod({ of: proposal }: Of) {
  if (!isInDepositPeriod(proposal)) return null
  const { depositEndTime, closedTime, asOf } = proposal
  return (
    <Section id="deposits" title="Deposits" isLive={closedTime === null}>
      <p>
        The voting period starts when the deposits reach the minimum. The deposit period ends{' '}
        <Drawn text="at ">
          <TimeLeft until={depositEndTime} now={asOf.time} />, at{' '}
        </Drawn>
        <Time of={depositEndTime} />.
      </p>
      <Progress of={proposal} />
      <DepositList of={proposal} />
    </Section>
  )
}

/** Shown after the deposit period, otherwise nothing. */
export function Deposits({ of: proposal }: Of) {
  if (isInDepositPeriod(proposal)) return null
  return (
    <Section id="deposits" title="Deposits" isLive={proposal.closedTime === null}>
      <Total of={proposal} />
    </Section>
  )
}
