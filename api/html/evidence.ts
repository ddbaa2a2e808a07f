// Whether our own computation of a tally is the chain's, what that rests on, and where the evidence is.
import { type Html, html } from '../../infra/html/html.ts'
import type { PageAt, PageData } from '../resources/page-data.ts'
import type { Tally } from '../schemas/proposal.ts'
import { amount, said, to } from './parts.ts'

const BADGES: Readonly<
  Record<Tally['matchesChain'], readonly [sign: string, text: string, look: string]>
> = {
  yes: ['✓', 'Matches the chain', 'good'],
  no: ['✕', 'Differs from the chain', ''],
  unknown: ['?', 'Not compared with the chain', 'quiet'],
}

export const matchBadge = (tally: Tally | null): Html => {
  if (!tally?.final) return html``
  const [sign, text, look] = BADGES[tally.matchesChain]
  return html`<a class="tag ${look}" href="#evidence"><span aria-hidden="true">${sign} </span>${text}</a>`
}

const MEANINGS: Readonly<Record<Tally['matchesChain'], string>> = {
  yes: 'Rollcall added the votes up itself, from every ballot and every delegation it saw, and came to the chain’s own result, to the last unit, in every option.',
  no: 'Rollcall added the votes up itself and did not come to the chain’s own result. Both are shown; neither is changed to fit the other.',
  unknown:
    'Rollcall could not add the votes up itself, or has no result of the chain to compare with. The numbers above are the chain’s own where it told them.',
}

const OPTIONS = [
  ['yes', 'Yes'],
  ['no', 'No'],
  ['noWithVeto', 'No with veto'],
  ['abstain', 'Abstain'],
] as const

const comparison = ({ extras }: PageData['proposal'], at: PageAt): Html => {
  const { compared } = extras
  if (!compared) return html``
  const exact = (value: string | null) => amount(value, { ...at, unit: undefined })
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Both results"><table class="narrow"><caption>In the chain’s base unit. Ours is cut to whole units once, as the chain does it.</caption><thead><tr><th scope="col">Option</th><th scope="col" class="number">From the ballots</th><th scope="col" class="number">The chain’s own</th></tr></thead>
<tbody>${OPTIONS.map(([key, name]) => html`<tr><th scope="row">${name}</th><td class="number">${exact(compared.computed[key])}</td><td class="number">${exact(compared.chain[key])}</td></tr>`)}</tbody></table></div>`
}

export const evidenceSection = (proposal: PageData['proposal'], at: PageAt): Html => {
  const { tally, proposalId, extras, history, historyReason } = proposal
  if (!tally) return html``
  const api = `/api/proposals/${proposalId}`
  const round = extras.rounds.length > 1 ? `?round=${extras.shownRound}` : ''
  const meaning = tally.final
    ? html`<p>${matchBadge(tally)}</p><p>${MEANINGS[tally.matchesChain]}${tally.matchesChainReason !== null && html` The reason: ${said(tally.matchesChainReason)}.`}</p>${comparison(proposal, at)}`
    : html`<p>The vote is open: what is shown is Rollcall’s own count, from every ballot and the delegations behind it. When the chain closes the vote, both results are compared here.</p>`
  return html`<section id="evidence" data-live="yes" aria-labelledby="evidence-title"><h2 id="evidence-title">How the tally is known</h2>
${meaning}
${history === 'partial' && html`<p>Not every fact since its submission was indexed: ${said(historyReason)}.</p>`}
<details id="evidence-how"><summary>What the evidence is, and how to check it</summary>
<p>For every voter: the options with their weights, and each delegation with its shares, as they were at the height of the tally. For every pool: its stake and its shares. With the rules that applied, anybody can repeat the sum. It is done by <code>rollcall tally verify ${proposalId}</code>, which reads nothing but this evidence and prints its working.</p></details>
<ul><li><a href="${to(`${api}/evidence${round}`, at)}">The evidence as JSON</a></li><li><a href="${to(`${api}/ballots${round}`, at)}">Every ballot as JSON</a></li><li><a href="${to(`${api}/events`, at)}">The events behind it as JSON</a></li></ul></section>`
}
