// The tally section: turnout, threshold and veto with their bars, and the votes by option.

import { type Html, type HtmlValue, html } from '../../infra/base/html/html.ts'
import type { Comparison } from '../../ingest/contract/compare-tally.ts'
import type { PageContext } from '../document/context.ts'
import {
  folded,
  numberCell,
  numbersHead,
  numbersRow,
  rowHead,
  scrollable,
  section,
} from '../document/html/elements.ts'
import { amount, exactAmount, share, UNKNOWN, untrustedText } from '../document/html/inline.ts'
import { describeRule, pluralize, votingNotStarted } from '../in-words.ts'
import { OPTIONS } from '../options.ts'
import {
  compareWithLimits,
  hasLimits,
  lacksVeto,
  NO_LIMIT,
  type Sums,
  sumVotes,
  toSums,
} from '../read/queries/outcome.ts'
import type { PageData } from '../resources/page-data.ts'
import type { Tally } from '../schemas/tally.ts'
import { shareText, shareTexts, turnoutText } from '../shares.ts'
import { allSegments, bar, swatch } from './bar.ts'

type Rule = {
  id: string
  name: string
  value: HtmlValue
  rule: Html
  outcome: string | undefined
  drawn: Html
}

/** Undefined if the outcome is not known. */
const describeOutcome = ({ isMet }: Comparison, yes: string, no: string): string | undefined =>
  isMet === null ? undefined : isMet ? yes : no

type LimitInWords = { label: string; toWords: (shown: Html) => Html }

/** A limit that the chain does not have is no unknown limit. */
const limit = (tally: Tally, name: keyof typeof NO_LIMIT, words: LimitInWords): Html => {
  const { label, toWords } = words
  const value = tally[name]
  if (value === null && hasLimits(tally)) return html`${NO_LIMIT[name]}`
  return html`${label}: ${value === null ? UNKNOWN : toWords(share(value))}`
}

/** In the order of `OPTIONS`. */
const optionShares = (sums: Sums): string[] => shareTexts(OPTIONS.map(({ sum }) => sums[sum]))
const VETO = OPTIONS.findIndex(({ sum }) => sum === 'noWithVeto')

const toRules = (tally: Tally, sums: Sums): Rule[] => {
  const { quorum, threshold, vetoThreshold, bondedTokens } = tally
  const compared = compareWithLimits(tally, sums)
  const voted = sumVotes(sums)
  const decided = voted - sums.abstain
  const bonded = bondedTokens === null ? 0n : BigInt(bondedTokens)
  return [
    {
      id: 'quorum',
      name: 'Turnout',
      value: turnoutText(tally) ?? UNKNOWN,
      rule: limit(tally, 'quorum', {
        label: 'quorum',
        toWords: (part) => html`at least ${part} of all voting power`,
      }),
      outcome: describeOutcome(compared.quorum, 'reached', 'not reached'),
      drawn: bar(allSegments(sums), { whole: bonded, mark: quorum }),
    },
    {
      id: 'threshold',
      name: 'Yes, excluding abstain',
      value: decided === 0n ? '–' : shareText(sums.yes, decided),
      rule: limit(tally, 'threshold', {
        label: 'threshold',
        toWords: (part) => html`passes only with more than ${part} Yes`,
      }),
      outcome: describeOutcome(compared.threshold, 'met', 'not met'),
      drawn: bar(allSegments({ ...sums, abstain: 0n }), { whole: decided, mark: threshold }),
    },
    {
      id: 'veto',
      name: 'No with veto',
      value: optionShares(sums)[VETO] ?? '–',
      rule: limit(tally, 'vetoThreshold', {
        label: 'veto',
        toWords: (part) => html`rejected if more than ${part} vote No with veto`,
      }),
      outcome: describeOutcome(compared.veto, 'vetoed', 'not vetoed'),
      drawn: bar([{ fill: 'veto', value: sums.noWithVeto }], { whole: voted, mark: vetoThreshold }),
    },
  ]
}

/** Whether the chain has the option; true while the tally is not known. */
const hasOption = (tally: Tally, sum: keyof Sums): boolean =>
  sum !== 'noWithVeto' || toSums(tally) === undefined || !lacksVeto(tally)

const exactAmounts = (tally: Tally, at: PageContext): Html => {
  if (!at.unit) return html``
  const { denom } = at.unit
  const options = OPTIONS.filter(({ sum }) => hasOption(tally, sum)).map(({ sum, label }) =>
    numbersRow(label, exactAmount(tally[sum])),
  )
  const rows = [...options, numbersRow('All voting power', exactAmount(tally.bondedTokens))]
  const head = numbersHead('Option', denom)
  const table = html`<table class="narrow">${head}<tbody>${rows}</tbody></table>`
  return folded('exact', `Exact amounts in ${denom}`, scrollable('Exact amounts', table))
}

const totalRow = (name: string, total: string | null, at: PageContext): Html =>
  html`<tr>${rowHead(name)}${numberCell(amount(total, at))}<td></td></tr>`

const optionTable = (tally: Tally, at: PageContext): Html => {
  const sums = toSums(tally)
  const voted = sums && sumVotes(sums)
  const shares = sums ? optionShares(sums) : []
  const rows = OPTIONS.flatMap(({ sum, label, fill }, n) =>
    hasOption(tally, sum)
      ? [numbersRow([swatch(fill), label], amount(tally[sum], at), shares[n] ?? '–')]
      : [],
  )
  const totals = [
    totalRow('Voted', voted === undefined ? null : `${voted}`, at),
    totalRow('All voting power', tally.bondedTokens, at),
  ]
  return scrollable(
    'Votes by option',
    html`<table class="narrow">${numbersHead('Option', 'Voting power', 'Share of votes')}
<tbody>${rows}</tbody>
<tfoot>${totals}</tfoot></table>`,
  )
}

const countOr = (count: number | null, one: string, many: string): Html =>
  count === null
    ? html`a number of ${many} that is ${UNKNOWN}`
    : html`${pluralize(count, one, many)}`

/** The tally in one sentence. Screen readers announce it when it changes. */
const summarySentence = (tally: Tally): Html => {
  const sums = toSums(tally)
  const voted = sums && sumVotes(sums)
  const [yesShare] = sums && voted ? optionShares(sums) : []
  const yes = yesShare && html`, yes ${yesShare} of all votes`
  const ballots = countOr(tally.ballots, 'ballot', 'ballots')
  const validators = countOr(tally.poolsVoted, 'validator', 'validators')
  return html`<p id="in-short">${tally.final ? 'Final' : 'So far'}: \
turnout ${turnoutText(tally) ?? UNKNOWN}${yes}, from ${ballots}; ${validators} voted.</p>`
}

const ruleBox = ({ id, name, value, rule, outcome, drawn }: Rule, isFinal: boolean): Html => {
  const ending = isFinal ? '' : ' so far'
  const isMet = outcome && html` · <strong>${outcome}${ending}</strong>`
  return html`<div class="rule" id="rule-${id}">\
<p><span>${name}</span> <strong>${value}</strong></p>\
${drawn}<p class="small soft">${rule}${isMet}</p></div>`
}

const rulesSection = (tally: Tally): Html => {
  const sums = toSums(tally)
  if (sums === undefined) {
    const { matchesChainReason: reason } = tally
    const why = !tally.final && reason !== null && html`: ${untrustedText(reason)}`
    return html`<p>The tally is not known${why}.</p>`
  }
  const boxes = toRules(tally, sums).map((rule) => ruleBox(rule, tally.final))
  return html`<div class="rules">${boxes}</div>`
}

const ruleNote = (tally: Tally): Html | null => {
  const text = describeRule(tally)
  return text === null
    ? null
    : html`
<p class="small soft" id="tally-rule">${text}</p>`
}

const HEADING = { id: 'tally', title: 'Tally', isLive: true }

export const tallySection = ({ tally, status }: PageData['proposal'], at: PageContext): Html => {
  if (!tally) return section(HEADING, html`<p>${votingNotStarted(status)}</p>`)
  return section(
    HEADING,
    html`
${summarySentence(tally)}${ruleNote(tally)}
${rulesSection(tally)}
${optionTable(tally, at)}${exactAmounts(tally, at)}`,
  )
}
