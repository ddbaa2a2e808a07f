// A round's tally: the numbers, and what each rule asks of them, drawn and in words.
import { type Html, html } from '../../infra/html/html.ts'
import { ATTO } from '../../ingest/contract/decimal.ts'
import { type Comparison, compareTally } from '../../ingest/contract/tally-rules.ts'
import type { PageAt, PageData } from '../resources/page-data.ts'
import type { Tally } from '../schemas/proposal.ts'
import { allSegments, bar, type Segment, swatch } from './bar.ts'
import { amount, share, UNKNOWN } from './parts.ts'
import { part, type Sums, sumsOf, totalOf } from './shares.ts'

type Rule = {
  id: string
  name: string
  value: Html
  rule: Html
  verdict: string | undefined
  drawn: Html
}

/** Undefined where it is not known. */
const verdictOf = ({ isMet }: Comparison, yes: string, no: string): string | undefined =>
  isMet === null ? undefined : isMet ? yes : no

const comparisonsOf = (tally: Tally, { yes, abstain, no, noWithVeto }: Sums) => {
  const sums = {
    ...{ yes: yes * ATTO, abstain: abstain * ATTO },
    ...{ no: no * ATTO, noWithVeto: noWithVeto * ATTO },
  }
  return compareTally({ sums, votingPower: totalOf(sums) }, tally, tally.bondedTokens ?? '0')
}

const rulesOf = (tally: Tally, sums: Sums): Rule[] => {
  const { quorum, threshold, vetoThreshold, bondedTokens, turnout } = tally
  const compared = comparisonsOf(tally, sums)
  const voted = totalOf(sums)
  const decided = voted - sums.abstain
  const bonded = bondedTokens === null ? 0n : BigInt(bondedTokens)
  const veto: Segment[] = [{ look: 'veto', some: sums.noWithVeto }]
  return [
    {
      id: 'quorum',
      name: 'Turnout',
      value: share(turnout),
      rule: html`quorum: at least ${share(quorum)} of the bonded stake`,
      verdict: verdictOf(compared.quorum, 'reached', 'not reached'),
      drawn: bar(allSegments(sums), { whole: bonded, mark: quorum }),
    },
    {
      id: 'threshold',
      name: 'Yes, of all but abstain',
      value: decided === 0n ? html`–` : share(part(sums.yes, decided)),
      rule: html`threshold: more than ${share(threshold)}`,
      verdict: verdictOf(compared.threshold, 'met', 'not met'),
      drawn: bar(allSegments({ ...sums, abstain: 0n }), { whole: decided, mark: threshold }),
    },
    {
      id: 'veto',
      name: 'No with veto, of all votes',
      value: voted === 0n ? html`–` : share(part(sums.noWithVeto, voted)),
      rule: html`veto: more than ${share(vetoThreshold)} rejects`,
      verdict: verdictOf(compared.veto, 'vetoed', 'not vetoed'),
      drawn: bar(veto, { whole: voted, mark: vetoThreshold }),
    },
  ]
}

const OPTIONS = [
  ['yes', 'Yes', 'yes'],
  ['no', 'No', 'no'],
  ['noWithVeto', 'No with veto', 'veto'],
  ['abstain', 'Abstain', 'abstain'],
] as const

/** To the last base unit, for who does not hover. */
const exactOf = (tally: Tally, at: PageAt): Html => {
  if (!at.unit) return html``
  const exact = (value: string | null) => amount(value, { unit: undefined })
  const rows = [
    ...OPTIONS.map(([key, name]) => [name, tally[key]] as const),
    ['Bonded', tally.bondedTokens] as const,
  ]
  return html`<details id="exact"><summary>The exact amounts in ${at.unit.denom}</summary><div class="scroll" tabindex="0" role="region" aria-label="Exact amounts"><table class="narrow"><thead><tr><th scope="col">Option</th><th scope="col" class="number">${at.unit.denom}</th></tr></thead><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td class="number">${exact(value)}</td></tr>`)}</tbody></table></div></details>`
}

const numbersOf = (tally: Tally, at: PageAt): Html => {
  const sums = sumsOf(tally)
  const voted = sums && totalOf(sums)
  const row = ([key, name, look]: (typeof OPTIONS)[number]) =>
    html`<tr><th scope="row">${swatch(look)}${name}</th><td class="number">${amount(tally[key], at)}</td><td class="number">${sums && voted ? share(part(sums[key], voted)) : '–'}</td></tr>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Votes by option"><table class="narrow"><thead><tr><th scope="col">Option</th><th scope="col" class="number">Stake</th><th scope="col" class="number">Of all votes</th></tr></thead>
<tbody>${OPTIONS.map(row)}</tbody>
<tfoot><tr><th scope="row">Voted</th><td class="number">${amount(voted === undefined ? null : `${voted}`, at)}</td><td></td></tr><tr><th scope="row">Bonded</th><td class="number">${amount(tally.bondedTokens, at)}</td><td></td></tr></tfoot></table></div>`
}

const counted = (count: number | null, one: string, many: string): Html =>
  count === null ? html`${many}: ${UNKNOWN}` : html`${count} ${count === 1 ? one : many}`

/** The whole in a sentence, for who hears that it has changed. */
const inShort = (tally: Tally): Html => {
  const sums = sumsOf(tally)
  const voted = sums && totalOf(sums)
  const yes = sums && voted ? html`, yes ${share(part(sums.yes, voted))} of all votes` : null
  return html`<p id="in-short">${tally.final ? 'Final' : 'So far'}: turnout ${share(tally.turnout)}${yes}, from ${counted(tally.ballots, 'ballot', 'ballots')} and ${counted(tally.poolsVoted, 'pool that voted itself', 'pools that voted themselves')}.</p>`
}

export const tallySection = ({ tally, extras }: PageData['proposal'], at: PageAt): Html => {
  if (!tally)
    return html`<section id="tally" data-live="yes" aria-labelledby="tally-title"><h2 id="tally-title">Tally</h2><p>No vote was held${extras.shownRound === 0 ? ' yet' : ''}.</p></section>`
  const sums = sumsOf(tally)
  return html`<section id="tally" data-live="yes" aria-labelledby="tally-title"><h2 id="tally-title">Tally</h2>
${inShort(tally)}
${
  sums === undefined
    ? html`<p>What the votes add up to is not known.</p>`
    : html`<div class="rules">${rulesOf(tally, sums).map(
        ({ id, name, value, rule, verdict, drawn }) =>
          html`<div class="rule" id="rule-${id}"><p><span>${name}</span> <strong>${value}</strong></p>${drawn}<p class="small soft">${rule}${verdict && html` · <strong>${verdict}${tally.final ? '' : ' so far'}</strong>`}</p></div>`,
      )}</div>`
}
${numbersOf(tally, at)}${exactOf(tally, at)}</section>`
}
