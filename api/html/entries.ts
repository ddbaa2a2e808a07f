// A list of proposals with status, time left, turnout, quorum and votes by option.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { outcomeTag, proposalLink, share, timestamp, UNKNOWN } from '../document/html/inline.ts'
import { OPTIONS } from '../options.ts'
import { toSums } from '../read/queries/outcome.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import { shareTexts, turnoutText } from '../shares.ts'
import { allSegments, bar, swatch } from './bar.ts'
import { endsIn } from './time-left.ts'

const tallySummary = ({ tally }: ProposalSummary): Html => {
  if (!tally) return html``
  const { quorum, bondedTokens } = tally
  const sums = toSums(tally)
  const against = html`Turnout <strong>${turnoutText(tally) ?? UNKNOWN}</strong>, quorum ${share(quorum)}`
  if (!sums || bondedTokens === null) return html`<p class="small">${against}</p>`
  const segments = allSegments(sums)
  const shares = shareTexts(segments.map(({ value }) => value))
  const items = OPTIONS.map(
    ({ fill, label }, n) => html`<li>${swatch(fill)}${label} ${shares[n] ?? '–'}</li>`,
  )
  return html`${bar(segments, { whole: BigInt(bondedTokens), mark: quorum })}
<ul class="inline small legend"><li>${against}</li>${items}</ul>`
}

/** `now` is the time of the block that the page shows. */
type EntryContext = { at: PageContext; now: string }

const phaseTime = (proposal: ProposalSummary, { at, now }: EntryContext): Html => {
  const { status, votingEndTime, depositEndTime, closedTime } = proposal
  if (status === 'voting_period') return html`voting ends ${endsIn(votingEndTime, now, at)}`
  if (status === 'deposit_period')
    return html`deposit period ends ${endsIn(depositEndTime, now, at)}`
  // The time of the close is not known before the first indexed height, but the end of the vote is.
  if (closedTime === null) return html`voting ended ${timestamp(votingEndTime)}`
  return html`closed ${timestamp(closedTime)}`
}

const titleNote = ({ titleSource }: ProposalSummary): Html | null =>
  titleSource === 'metadata' ? html` <span>title from the metadata</span>` : null

const entry = (proposal: ProposalSummary, context: EntryContext): Html => {
  const state = outcomeTag(proposal)
  return html`<li class="entry" id="proposal-${proposal.proposalId}">
<p class="small soft entry-state">${state} <span>${phaseTime(proposal, context)}</span>${titleNote(proposal)}</p>
<h3>${proposalLink(proposal, context.at)}</h3>
${tallySummary(proposal)}</li>`
}

export const entries = (items: readonly ProposalSummary[], context: EntryContext): Html =>
  html`<ol class="entries">${items.map((proposal) => entry(proposal, context))}</ol>`
