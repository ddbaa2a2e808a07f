// The tally: the result in one sentence, the rules that it meets, and the votes by option.
import { lacksVeto } from '../../read/queries/outcome.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import type { Tally } from '../../schemas/tally.ts'
import { Swatch } from '../../view/bar.tsx'
import { Details, Numbers, Section } from '../../view/blocks.tsx'
import type { PageContext } from '../../view/context.ts'
import { Amount, BaseAmount, OutsideHtml, Quoted, Unknown } from '../../view/parts.tsx'
import { pluralize } from '../../words/in-words.ts'
import { findVoted, OPTIONS, type Sums, toSums } from '../../words/options.ts'
import { turnoutText } from '../../words/shares.ts'
import { describeRule } from '../../words/status.ts'
import { optionShares, Rules } from './rules.tsx'

/** The text for a proposal without a tally. */
const votingNotStarted = (status: string): string =>
  status === 'deposit_period' ? 'Voting has not started.' : 'Voting did not start.'

type Of = { of: Tally }

/** Whether the chain has the option; true while the tally is not known. */
const hasOption = (tally: Tally, sum: keyof Sums): boolean =>
  sum !== 'noWithVeto' || toSums(tally) === undefined || !lacksVeto(tally)

function ExactAmounts({ of: tally }: Of, at: Pick<PageContext, 'unit'>) {
  if (!at.unit) return null
  const { denom } = at.unit
  const options = OPTIONS.filter(({ sum }) => hasOption(tally, sum)).map(({ sum, label }) => [
    label,
    <BaseAmount base={tally[sum]} />,
  ])
  return (
    <Details id="exact" summary={`Exact amounts in ${denom}`}>
      <Numbers
        label="Exact amounts"
        columns={['Option', denom]}
        rows={[...options, ['All voting power', <BaseAmount base={tally.bondedTokens} />]]}
      />
    </Details>
  )
}
/** Other formats have exact amounts everywhere. */
ExactAmounts.text = () => null

function OptionTable({ of: tally }: Of) {
  const sums = toSums(tally)
  const shares = sums ? optionShares(sums) : []
  const rows = OPTIONS.flatMap(({ sum, label, fill }, n) =>
    hasOption(tally, sum)
      ? [
          [
            <>
              <Swatch of={fill} />
              {label}
            </>,
            <Amount base={tally[sum]} />,
            shares[n] ?? '–',
          ],
        ]
      : [],
  )
  return (
    <Numbers
      label="Votes by option"
      columns={['Option', 'Voting power', 'Share of votes']}
      rows={rows}
      totals={[
        ['Voted', <Amount base={tally.votingPower} />],
        ['All voting power', <Amount base={tally.bondedTokens} />],
      ]}
    />
  )
}

function Count({ of, one, many }: { of: number | null; one: string; many: string }) {
  if (of !== null) return <>{pluralize(of, one, many)}</>
  return (
    <>
      a number of {many} that is <Unknown />
    </>
  )
}

/** The tally in one sentence. Screen readers announce it when it changes. */
function InShort({ of: tally }: Of) {
  const sums = toSums(tally)
  const [yesShare] = sums && findVoted(tally) > 0n ? optionShares(sums) : []
  return (
    <p id="in-short">
      {tally.final ? 'Final' : 'So far'}: turnout {turnoutText(tally) ?? <Unknown />}
      {yesShare !== undefined && `, yes ${yesShare} of all votes`}, from{' '}
      <Count of={tally.ballots} one="ballot" many="ballots" />;{' '}
      <Count of={tally.poolsVoted} one="validator" many="validators" /> voted.
    </p>
  )
}

function RulesOrReason({ of: tally }: Of) {
  if (toSums(tally) !== undefined) return <Rules of={tally} />
  const { final, matchesChainReason: reason } = tally
  return (
    <>
      <p>
        The tally is not known
        {!final && reason !== null && [': ', <Quoted text={reason} />]}.
      </p>
      <OutsideHtml>
        <Rules of={tally} />
      </OutsideHtml>
    </>
  )
}

export function TallySection({ of: { tally, status } }: { of: ProposalPageData }) {
  if (!tally) {
    return (
      <Section id="tally" title="Tally" isLive>
        <p>{votingNotStarted(status)}</p>
      </Section>
    )
  }
  const rule = describeRule(tally)
  return (
    <Section id="tally" title="Tally" isLive>
      <InShort of={tally} />
      {rule !== null && (
        <p class="small soft" id="tally-rule">
          {rule}
        </p>
      )}
      <RulesOrReason of={tally} />
      <OptionTable of={tally} />
      <ExactAmounts of={tally} />
    </Section>
  )
}
