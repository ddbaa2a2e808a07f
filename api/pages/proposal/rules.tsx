// The rules that decide a vote: quorum, threshold and veto, each with its value and its limit.
import type { ComponentChildren } from 'preact'
import type { Comparison } from '../../../ingest/contract/compare-tally.ts'
import { compareWithLimits, hasLimits, NO_LIMIT } from '../../read/queries/outcome.ts'
import type { Tally } from '../../schemas/tally.ts'
import { allSegments, Bar, type BarProps } from '../../view/bar.tsx'
import { Fact, Facts } from '../../view/blocks.tsx'
import { Share, Unknown } from '../../view/parts.tsx'
import { findVoted, OPTIONS, type Sums, toSums } from '../../words/options.ts'
import { shareText, shareTexts, turnoutText } from '../../words/shares.ts'

type Rule = {
  id: string
  name: string
  value: ComponentChildren
  limit: ComponentChildren
  /** Undefined if it is not known. */
  outcome: string | undefined
  bar: BarProps
}

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
      id: 'quorum',
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
      id: 'threshold',
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
      id: 'veto',
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

function RuleBox({ id, name, value, limit, outcome, bar }: Rule) {
  return (
    <div class="rule" id={`rule-${id}`}>
      <p>
        <span>{name}</span> <strong>{value}</strong>
      </p>
      <Bar {...bar} />
      <p class="small soft">
        {limit}
        {outcome !== undefined && [' · ', <strong>{outcome}</strong>]}
      </p>
    </div>
  )
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
Rules.text = ({ of }: { of: Tally }) => (
  <Facts>
    {toRules(of).map(({ name, value, limit, outcome }) => (
      <Fact name={name}>
        {value}; {limit}
        {outcome !== undefined && `; ${outcome}`}
      </Fact>
    ))}
  </Facts>
)
