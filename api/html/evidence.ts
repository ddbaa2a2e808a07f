// The evidence section: compares the recomputed tally with the tally of the chain, and links to the evidence.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { folded, numbersHead, numbersRow, scrollable, section } from '../document/html/elements.ts'
import { exactAmount, hiddenSign, link, reasonText } from '../document/html/inline.ts'
import { addFormat } from '../document/paths.ts'
import { OPTIONS } from '../options.ts'
import type { PageData } from '../resources/page-data.ts'
import type { Tally } from '../schemas/tally.ts'

const BADGES: Readonly<
  Record<Tally['matchesChain'], readonly [sign: string, text: string, tagClass: string]>
> = {
  yes: ['✓', 'Matches the chain', 'good'],
  no: ['✕', 'Differs from the chain', ''],
  unknown: ['?', 'Not compared with the chain', 'quiet'],
}

const badge = (matchesChain: Tally['matchesChain']): Html => {
  const [sign, text, tagClass] = BADGES[matchesChain]
  return html`<a class="tag ${tagClass}" href="#evidence">${hiddenSign(sign)}${text}</a>`
}

/** With the reason why both results were not compared. */
export const matchBadge = (tally: Tally | null): Html => {
  if (!tally?.final) return html``
  const { matchesChain, matchesChainReason: reason } = tally
  return html`${badge(matchesChain)}\
${reason !== null && html` <span class="soft">${reasonText(reason)}</span>`}`
}

const MEANINGS: Readonly<Record<Tally['matchesChain'], string>> = {
  yes:
    'Rollcall counted all votes again, from every ballot and every delegation. ' +
    'Its result equals that of the chain to the last unit, for every option.',
  no: 'Rollcall counted all votes again, and its result differs from that of the chain.',
  unknown:
    'Rollcall could not count all votes again, or the result of the chain is not known. ' +
    'The numbers above are from the chain, where they are known.',
}

const CAPTION =
  'In the smallest unit of the chain. Rollcall truncates to whole units once, as the chain does.'

const comparison = ({ compared }: PageData['proposal']['extras']): Html => {
  if (!compared) return html``
  const { computed, chain } = compared
  const rows = OPTIONS.map(({ sum, label }) =>
    numbersRow(label, exactAmount(computed[sum]), exactAmount(chain[sum])),
  )
  const table = html`<table class="narrow"><caption>${CAPTION}</caption>${numbersHead('Option', 'Rollcall', 'Chain')}
<tbody>${rows}</tbody></table>`
  return folded('evidence-numbers', 'Both results in numbers', scrollable('Both results', table))
}

const OPEN = html`<p>The vote is open. Rollcall counts every ballot \
with the delegations of its voter. When the vote closes, it compares its count with the result of the chain.</p>`

const REPORTED = html`<p>The vote is open. The numbers are those that a node of the chain reports. \
When the vote closes, they are the result of the chain.</p>`

const comparisonResult = (tally: Tally, extras: PageData['proposal']['extras']): Html => {
  if (!tally.final) return tally.rule.reported ? REPORTED : OPEN
  const { matchesChain, matchesChainReason } = tally
  const reason = matchesChainReason !== null && html` Reason: ${reasonText(matchesChainReason)}.`
  return html`<p>${badge(matchesChain)}</p>\
<p>${MEANINGS[matchesChain]}${reason}</p>${comparison(extras)}`
}

const verificationHelp = (proposalId: string): Html =>
  folded(
    'evidence-how',
    'What the evidence contains, and how to check it',
    html`
<p>For every voter: the options with their weights, and each delegation with its shares, \
as they were in the block of the count. For every validator: its stake and its shares. \
With the rules that applied, you can recompute the result. \
Developers run <code>rollcall tally verify ${proposalId}</code>: \
it reads only this evidence and prints each step.</p>`,
  )

const PARTIAL = 'Rollcall does not have the complete history of this proposal'
const PAST = 'This vote ended before Rollcall followed the chain'

/** One sentence: what is missing, or how a past vote is known and what is not. */
const historyNote = ({ history, historyReason }: PageData['proposal']): Html | null => {
  if (history === 'complete') return null
  if (history === 'partial') return html`<p>${PARTIAL}. Reason: ${reasonText(historyReason)}.</p>`
  return html`<p>${PAST}: ${reasonText(historyReason)}.</p>`
}

export const evidenceSection = (proposal: PageData['proposal'], at: PageContext): Html => {
  const { tally, proposalId, extras, round } = proposal
  if (!tally) return html``
  const api = `/api/proposals/${proposalId}`
  const query = extras.rounds.length > 1 ? `?round=${extras.shownRound}` : ''
  const sources = [
    link(`${api}/evidence${query}`, 'Evidence (JSON)', at),
    link(`${api}/ballots${query}`, 'Ballots (JSON)', at),
    link(addFormat(`${api}/ballots${query}`, 'csv'), 'Ballots (CSV)', at),
    link(`${api}/events`, 'Events (JSON)', at),
  ]
  return section(
    { id: 'evidence', title: 'Check the count', isLive: true },
    html`
${comparisonResult(tally, extras)}
${historyNote(proposal)}
${round !== null && verificationHelp(proposalId)}
<ul>${sources.map((source) => html`<li>${source}</li>`)}</ul>`,
  )
}
