// The evidence section: compares the recomputed tally with the tally of the chain, and links to the evidence.
import { type Html, html } from '../../infra/html/html.ts'
import type { PageContext, PageData } from '../resources/page-data.ts'
import type { Tally } from '../schemas/proposal.ts'
import { folded, numbersHead, numbersRow, scrollable, section } from './elements.ts'
import { OPTIONS } from './options.ts'
import { exactAmount, hiddenSign, link, untrustedText } from './parts.ts'

const BADGES: Readonly<
  Record<Tally['matchesChain'], readonly [sign: string, text: string, tagClass: string]>
> = {
  yes: ['✓', 'Matches the chain', 'good'],
  no: ['✕', 'Differs from the chain', ''],
  unknown: ['?', 'Not compared with the chain', 'quiet'],
}

export const matchBadge = (tally: Tally | null): Html => {
  if (!tally?.final) return html``
  const [sign, text, tagClass] = BADGES[tally.matchesChain]
  return html`<a class="tag ${tagClass}" href="#evidence">${hiddenSign(sign)}${text}</a>`
}

const MEANINGS: Readonly<Record<Tally['matchesChain'], string>> = {
  yes:
    'Rollcall recomputed the tally from every ballot and every delegation. ' +
    'It equals the result of the chain to the last unit, for every option.',
  no: 'Rollcall recomputed the tally, and it differs from the result of the chain. Both are shown.',
  unknown:
    'Rollcall could not recompute the tally, or the result of the chain is not known. ' +
    'The numbers above are from the chain, where they are known.',
}

const CAPTION = 'In base units. Rollcall truncates to whole units once, as the chain does.'

const comparison = ({ compared }: PageData['proposal']['extras']): Html => {
  if (!compared) return html``
  const { computed, chain } = compared
  const rows = OPTIONS.map(({ sum, label }) =>
    numbersRow(label, exactAmount(computed[sum]), exactAmount(chain[sum])),
  )
  return scrollable(
    'Both results',
    html`<table class="narrow"><caption>${CAPTION}</caption>${numbersHead('Option', 'Rollcall', 'Chain')}
<tbody>${rows}</tbody></table>`,
  )
}

const OPEN = html`<p>The vote is open. Rollcall computes the tally from every ballot \
and the delegations of its voter. When the vote closes, it is compared with the result of the chain.</p>`

const comparisonResult = (tally: Tally, extras: PageData['proposal']['extras']): Html => {
  if (!tally.final) return OPEN
  const { matchesChain, matchesChainReason } = tally
  const reason = matchesChainReason !== null && html` Reason: ${untrustedText(matchesChainReason)}.`
  return html`<p>${matchBadge(tally)}</p>\
<p>${MEANINGS[matchesChain]}${reason}</p>${comparison(extras)}`
}

const verificationHelp = (proposalId: string): Html =>
  folded(
    'evidence-how',
    'What the evidence contains, and how to verify it',
    html`
<p>For every voter: the options with their weights, and each delegation with its shares, \
as they were at the height of the tally. For every validator: its bonded tokens and its shares. \
With the rules that applied, you can recompute the tally. \
Run <code>rollcall tally verify ${proposalId}</code>: \
it reads only this evidence and prints each step.</p>`,
  )

const PARTIAL = 'The history of this proposal is partial'

export const evidenceSection = (proposal: PageData['proposal'], at: PageContext): Html => {
  const { tally, proposalId, extras, history, historyReason, round } = proposal
  if (!tally) return html``
  const api = `/api/proposals/${proposalId}`
  const query = extras.rounds.length > 1 ? `?round=${extras.shownRound}` : ''
  const sources = [
    link(`${api}/evidence${query}`, 'Evidence (JSON)', at),
    link(`${api}/ballots${query}`, 'Ballots (JSON)', at),
    link(`${api}/events`, 'Events (JSON)', at),
  ]
  return section(
    { id: 'evidence', title: 'Tally evidence', isLive: true },
    html`
${comparisonResult(tally, extras)}
${history === 'partial' && html`<p>${PARTIAL}: ${untrustedText(historyReason)}.</p>`}
${round !== null && verificationHelp(proposalId)}
<ul>${sources.map((source) => html`<li>${source}</li>`)}</ul>`,
  )
}
