// A list of proposals: each with its state, the time left, its turnout against the quorum, and its votes by option.
import { type Html, html } from '../../infra/html/html.ts'
import { sumsOf } from '../read/queries/outcome.ts'
import type { PageAt } from '../resources/page-data.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import { allSegments, bar, type Segment, swatch } from './bar.ts'
import { moment, outcomeTag, proposalLink, share, sharesTogether } from './parts.ts'
import { endsIn } from './time-left.ts'

const LEGEND: Readonly<Record<Segment['look'], string>> = {
  yes: 'Yes',
  no: 'No',
  veto: 'No with veto',
  abstain: 'Abstain',
}

const legendItem = ({ look }: Segment, of: string): Html =>
  html`<li>${swatch(look)}${LEGEND[look]} ${of}</li>`

const tallyOf = ({ tally }: ProposalSummary): Html => {
  if (!tally) return html``
  const { turnout, quorum, bondedTokens } = tally
  const sums = sumsOf(tally)
  const against = html`Turnout <strong>${share(turnout)}</strong>, quorum ${share(quorum)}`
  if (!sums || bondedTokens === null) return html`<p class="small">${against}</p>`
  const segments = allSegments(sums)
  const shares = sharesTogether(segments.map(({ some }) => some))
  const items = segments.map((segment, n) => legendItem(segment, shares[n] ?? '–'))
  return html`${bar(segments, { whole: BigInt(bondedTokens), mark: quorum })}
<ul class="inline small legend"><li>${against}</li>${items}</ul>`
}

const whenOf = (proposal: ProposalSummary, now: string): Html => {
  const { status, votingEndTime, depositEndTime, closedTime } = proposal
  if (status === 'voting_period') return html`voting ends ${endsIn(votingEndTime, now)}`
  if (status === 'deposit_period') return html`deposit period ends ${endsIn(depositEndTime, now)}`
  return html`closed ${moment(closedTime)}`
}

/** `now` is the time of the block that the page shows. */
type Shown = { at: PageAt; now: string }

const entry = (proposal: ProposalSummary, { at, now }: Shown): Html => {
  const state = outcomeTag(proposal)
  return html`<li class="entry" id="proposal-${proposal.proposalId}">
<p class="small soft entry-state">${state} <span>${whenOf(proposal, now)}</span></p>
<h3>${proposalLink(proposal, at)}</h3>
${tallyOf(proposal)}</li>`
}

export const entries = (items: readonly ProposalSummary[], shown: Shown): Html =>
  html`<ol class="entries">${items.map((proposal) => entry(proposal, shown))}</ol>`
