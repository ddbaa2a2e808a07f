// The tally: the result in one sentence, the rules that decide the vote (quorum, threshold and veto, each with its limit), and the
// votes by option.
import type { ComponentChildren } from 'preact'
import type { Comparison } from '../../../ingest/contract/compare-tally.ts'
import { compareWithLimits, hasLimits, lacksVeto, NO_LIMIT } from '../../read/queries/outcome.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import type { Tally } from '../../schemas/tally.ts'
import { allSegments, RuleBox, type RuleProps, Swatch } from '../../view/bar.tsx'
import { Details, Numbers, Section } from '../../view/blocks.tsx'
import { Amount, BaseAmount, OutsideHtml, Quoted, Share, Unknown } from '../../view/parts.tsx'
import type { PageContext } from '../../view/paths.ts'
import { pluralize } from '../../words/in-words.ts'
import { findVoted, OPTIONS, type Sums, toSums } from '../../words/options.ts'
import { shareText, shareTexts, turnoutText } from '../../words/shares.ts'
import { describeRule } from '../../words/status.ts'

type Rule = RuleProps & { outcome: string | undefined }

type LimitInWords = { label: string; toWords: (shown: ComponentChildren) => ComponentChildren }

/** A limit that the chain does not have is no unknown limit. */
const describeLimit = (
  tally: Tally,
  name: keyof typeof NO_LIMIT,
  { label, toWords }: LimitInWords,
): ComponentChildren => {
  const value = tally[name]
  if (value === null && hasLimits(tally)) return NO_LIMIT[name]
  return [label, ': ', value === null ? <Unknown /> : toWords(<Share of={value} />)]
}

/** In the order of `OPTIONS`. */
export const optionShares = (sums: Sums): string[] =>
  shareTexts(OPTIONS.map(({ sum }) => sums[sum]))
const VETO = OPTIONS.findIndex(({ sum }) => sum === 'noWithVeto')

const NO_SUMS: Sums = { yes: 0n, no: 0n, abstain: 0n, noWithVeto: 0n }

/** Without known sums, a rule has its limit alone. */
const toRules = (tally: Tally): Rule[] => {
  const known = toSums(tally)
  const sums = known ?? NO_SUMS
  const { quorum, threshold, vetoThreshold, bondedTokens, final } = tally
  const compared = compareWithLimits(tally, sums)
  const voted = findVoted(tally)
  const decided = voted - sums.abstain
  const bonded = bondedTokens === null ? 0n : BigInt(bondedTokens)
  const toValue = (shown: string): ComponentChildren => (known ? shown : <Unknown />)
  const toOutcome = ({ isMet }: Comparison, yes: string, no: string): string | undefined =>
    known === undefined || isMet === null
      ? undefined
      : `${isMet ? yes : no}${final ? '' : ' so far'}`
  return [
    {
      id: 'rule-quorum',
      name: 'Turnout',
      value: turnoutText(tally) ?? <Unknown />,
      limit: describeLimit(tally, 'quorum', {
        label: 'quorum',
        toWords: (shown) => ['at least ', shown, ' of all voting power'],
      }),
      outcome: toOutcome(compared.quorum, 'reached', 'not reached'),
      bar: { segments: allSegments(sums), whole: bonded, mark: quorum },
    },
    {
      id: 'rule-threshold',
      name: 'Yes, excluding abstain',
      value: toValue(decided === 0n ? '–' : shareText(sums.yes, decided)),
      limit: describeLimit(tally, 'threshold', {
        label: 'threshold',
        toWords: (shown) => ['passes only with more than ', shown, ' Yes'],
      }),
      outcome: toOutcome(compared.threshold, 'met', 'not met'),
      bar: { segments: allSegments({ ...sums, abstain: 0n }), whole: decided, mark: threshold },
    },
    {
      id: 'rule-veto',
      name: 'No with veto',
      value: toValue(optionShares(sums)[VETO] ?? '–'),
      limit: describeLimit(tally, 'vetoThreshold', {
        label: 'veto',
        toWords: (shown) => ['rejected if more than ', shown, ' vote No with veto'],
      }),
      outcome: toOutcome(compared.veto, 'vetoed', 'not vetoed'),
      bar: {
        segments: [{ fill: 'veto', value: sums.noWithVeto }],
        whole: voted,
        mark: vetoThreshold,
      },
    },
  ]
}

/** Boxes: each has its value, a bar with the limit, and the limit in words. */
export function Rules({ of }: { of: Tally }) {
  return (
    <div class="rules">
      {toRules(of).map((rule) => (
        <RuleBox {...rule} />
      ))}
    </div>
  )
}

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

function Counted({ of: tally }: Of) {
  const rule = describeRule(tally)
  return (
    <>
      <InShort of={tally} />
      {rule !== null && (
        <p class="small soft" id="tally-rule">
          {rule}
        </p>
      )}
      <RulesOrReason of={tally} />
      <OptionTable of={tally} />
      <ExactAmounts of={tally} />
    </>
  )
}

export function TallySection({ of: { tally, status } }: { of: ProposalPageData }) {
  return (
    <Section id="tally" title="Tally" isLive>
      {tally ? <Counted of={tally} /> : <p>{votingNotStarted(status)}</p>}
    </Section>
  )
}
