// The rules that decide a vote: quorum, threshold and veto, each with its value and its limit.
import type { Comparison } from '../../../ingest/contract/compare-tally.ts'
import { type Inline, share, UNKNOWN } from '../../document/line.ts'
import { allSegments } from '../../html/bar.ts'
import type { Rule } from '../../html/rule-boxes.ts'
import { OPTIONS } from '../../options.ts'
import {
  compareWithLimits,
  findVoted,
  hasLimits,
  NO_LIMIT,
  type Sums,
  toSums,
} from '../../read/queries/outcome.ts'
import type { Tally } from '../../schemas/tally.ts'
import { shareText, shareTexts, turnoutText } from '../../shares.ts'

type LimitInWords = { label: string; toWords: (shown: Inline) => Inline }

/** A limit that the chain does not have is no unknown limit. */
const describeLimit = (
  tally: Tally,
  name: keyof typeof NO_LIMIT,
  { label, toWords }: LimitInWords,
): Inline => {
  const value = tally[name]
  if (value === null && hasLimits(tally)) return NO_LIMIT[name]
  return [label, ': ', value === null ? UNKNOWN : toWords(share(value))]
}

/** In the order of `OPTIONS`. */
export const optionShares = (sums: Sums): string[] =>
  shareTexts(OPTIONS.map(({ sum }) => sums[sum]))
const VETO = OPTIONS.findIndex(({ sum }) => sum === 'noWithVeto')

const NO_SUMS: Sums = { yes: 0n, no: 0n, abstain: 0n, noWithVeto: 0n }

/** Without known sums, a rule has its limit alone. */
export const toRules = (tally: Tally): Rule[] => {
  const known = toSums(tally)
  const sums = known ?? NO_SUMS
  const { quorum, threshold, vetoThreshold, bondedTokens, final } = tally
  const compared = compareWithLimits(tally, sums)
  const voted = findVoted(tally)
  const decided = voted - sums.abstain
  const bonded = bondedTokens === null ? 0n : BigInt(bondedTokens)
  const toValue = (shown: string): Inline => (known ? shown : UNKNOWN)
  const toOutcome = ({ isMet }: Comparison, yes: string, no: string): string | undefined =>
    known === undefined || isMet === null
      ? undefined
      : `${isMet ? yes : no}${final ? '' : ' so far'}`
  return [
    {
      id: 'quorum',
      name: 'Turnout',
      value: turnoutText(tally) ?? UNKNOWN,
      limit: describeLimit(tally, 'quorum', {
        label: 'quorum',
        toWords: (shown) => ['at least ', shown, ' of all voting power'],
      }),
      outcome: toOutcome(compared.quorum, 'reached', 'not reached'),
      bar: [allSegments(sums), { whole: bonded, mark: quorum }],
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
      bar: [allSegments({ ...sums, abstain: 0n }), { whole: decided, mark: threshold }],
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
      bar: [[{ fill: 'veto', value: sums.noWithVeto }], { whole: voted, mark: vetoThreshold }],
    },
  ]
}
