// A list of proposals: each with its state, the time that is left, its turnout against the quorum, and how the votes fell.
import { type Html, html } from '../../infra/html/html.ts'
import type { PageAt } from '../resources/page-data.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import { allSegments, bar, swatch } from './bar.ts'
import { moment, proposalLink, share, statusTag } from './parts.ts'
import { part, sumsOf, totalOf } from './shares.ts'
import { endsIn } from './time-left.ts'

type Look = Parameters<typeof swatch>[0]

const tallyOf = ({ tally }: ProposalSummary): Html => {
  if (!tally) return html``
  const { turnout, quorum, bondedTokens } = tally
  const sums = sumsOf(tally)
  const against = html`Turnout <strong>${share(turnout)}</strong>, quorum ${share(quorum)}`
  if (!sums || bondedTokens === null) return html`<p class="small">${against}</p>`
  const voted = totalOf(sums)
  const of = (look: Look, name: string, some: bigint) =>
    html`<li>${swatch(look)}${name} ${voted === 0n ? '–' : share(part(some, voted))}</li>`
  return html`${bar(allSegments(sums), { whole: BigInt(bondedTokens), mark: quorum })}
<ul class="inline small legend"><li>${against}</li>${of('yes', 'Yes', sums.yes)}${of('no', 'No', sums.no)}${of('veto', 'No with veto', sums.noWithVeto)}${of('abstain', 'Abstain', sums.abstain)}</ul>`
}

const whenOf = (proposal: ProposalSummary, now: string): Html => {
  const { status, votingEndTime, depositEndTime, closedTime } = proposal
  if (status === 'voting_period') return html`voting ends ${endsIn(votingEndTime, now)}`
  if (status === 'deposit_period') return html`deposit period ends ${endsIn(depositEndTime, now)}`
  return html`closed ${moment(closedTime)}`
}

export const entries = (
  items: readonly ProposalSummary[],
  { at, now }: { at: PageAt; now: string },
): Html =>
  html`<ol class="entries">${items.map(
    (proposal) => html`<li class="entry" id="proposal-${proposal.proposalId}">
<p class="small soft entry-state">${statusTag(proposal.status)} <span>${whenOf(proposal, now)}</span></p>
<h3>${proposalLink(proposal, at)}</h3>
${tallyOf(proposal)}</li>`,
  )}</ol>`
