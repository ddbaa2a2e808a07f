// The tally: the result in one sentence, the rules that it meets, and the votes by option.
import { html } from '../../../infra/base/html/html.ts'
import type { PageContext } from '../../document/context.ts'
import { renderBlocks } from '../../document/html/render.ts'
import { amount, baseAmount, drawn, type Inline, quoted, UNKNOWN } from '../../document/line.ts'
import {
  type Block,
  facts,
  folded,
  numbers,
  outsideHtml,
  paragraph,
  picture,
  section,
} from '../../document/tree.ts'
import { swatch } from '../../html/bar.ts'
import { type Rule, ruleBoxes } from '../../html/rule-boxes.ts'
import { describeRule, pluralize, votingNotStarted } from '../../in-words.ts'
import { OPTIONS } from '../../options.ts'
import { findVoted, lacksVeto, type Sums, toSums } from '../../read/queries/outcome.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import type { Tally } from '../../schemas/tally.ts'
import { turnoutText } from '../../shares.ts'
import { optionShares, toRules } from './rules.ts'

/** Whether the chain has the option; true while the tally is not known. */
const hasOption = (tally: Tally, sum: keyof Sums): boolean =>
  sum !== 'noWithVeto' || toSums(tally) === undefined || !lacksVeto(tally)

const exactAmounts = (tally: Tally, at: PageContext): Block => {
  if (!at.unit) return null
  const { denom } = at.unit
  const options = OPTIONS.filter(({ sum }) => hasOption(tally, sum)).map(({ sum, label }) => [
    label,
    baseAmount(tally[sum]),
  ])
  const table = numbers({
    label: 'Exact amounts',
    columns: ['Option', denom],
    rows: [...options, ['All voting power', baseAmount(tally.bondedTokens)]],
  })
  // Other formats have exact amounts everywhere.
  return picture(renderBlocks([folded('exact', `Exact amounts in ${denom}`, table)], at))
}

const optionTable = (tally: Tally): Block => {
  const sums = toSums(tally)
  const shares = sums ? optionShares(sums) : []
  const rows = OPTIONS.flatMap(({ sum, label, fill }, n) =>
    hasOption(tally, sum)
      ? [[drawn(html`${swatch(fill)}${label}`, label), amount(tally[sum]), shares[n] ?? '–']]
      : [],
  )
  return numbers({
    label: 'Votes by option',
    columns: ['Option', 'Voting power', 'Share of votes'],
    rows,
    totals: [
      ['Voted', amount(tally.votingPower)],
      ['All voting power', amount(tally.bondedTokens)],
    ],
  })
}

const countOr = (count: number | null, one: string, many: string): Inline =>
  count === null ? [`a number of ${many} that is `, UNKNOWN] : pluralize(count, one, many)

/** The tally in one sentence. Screen readers announce it when it changes. */
const summarize = (tally: Tally): Block => {
  const sums = toSums(tally)
  const [yesShare] = sums && findVoted(tally) > 0n ? optionShares(sums) : []
  return paragraph(
    [
      tally.final ? 'Final' : 'So far',
      ': turnout ',
      turnoutText(tally) ?? UNKNOWN,
      yesShare !== undefined && `, yes ${yesShare} of all votes`,
      ', from ',
      countOr(tally.ballots, 'ballot', 'ballots'),
      '; ',
      countOr(tally.poolsVoted, 'validator', 'validators'),
      ' voted.',
    ],
    undefined,
    'in-short',
  )
}

const toFact = ({ name, value, limit, outcome }: Rule): [string, Inline] => [
  name,
  [value, '; ', limit, outcome !== undefined && `; ${outcome}`],
]

const ruleList = (tally: Tally, at: PageContext): readonly Block[] => {
  const rules = toRules(tally)
  if (toSums(tally) !== undefined)
    return [picture(ruleBoxes(rules, at), facts(...rules.map(toFact)))]
  const { final, matchesChainReason: reason } = tally
  const why = !final && reason !== null && [': ', quoted(reason)]
  return [paragraph(['The tally is not known', why, '.']), outsideHtml(facts(...rules.map(toFact)))]
}

const noteRule = (tally: Tally): Block => {
  const text = describeRule(tally)
  return text !== null && paragraph(text, 'small soft', 'tally-rule')
}

export const writeTally = ({ tally, status }: ProposalPageData, at: PageContext): Block =>
  section(
    { id: 'tally', title: 'Tally', isLive: true },
    ...(tally
      ? [
          summarize(tally),
          noteRule(tally),
          ...ruleList(tally, at),
          optionTable(tally),
          exactAmounts(tally, at),
        ]
      : [paragraph(votingNotStarted(status))]),
  )
