// The page of one proposal: tally, description, messages, votes, evidence and details.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { fact, section } from '../document/html/elements.ts'
import {
  code,
  coinList,
  explorerLink,
  link,
  outcomeTag,
  timestamp,
  toHref,
  UNKNOWN,
  untrustedText,
} from '../document/html/inline.ts'
import { encodePathSegment, proposalPath, voterPath } from '../document/paths.ts'
import { proposalDescription, proposalHeadline } from '../headline.ts'
import { plainLine } from '../plain-text.ts'
import { isOpen } from '../proposal-status.ts'
import type { PageData } from '../resources/page-data.ts'
import { PROOF_SCRIPT, TABLE_SCRIPT } from './assets.ts'
import { BAR_PATTERNS } from './bar.ts'
import { depositPeriodSection, depositsSection } from './deposits.ts'
import { earlierSection } from './earlier.ts'
import { evidenceSection, matchBadge } from './evidence.ts'
import { layout } from './layout.ts'
import { linkedText } from './linked-text.ts'
import { messages } from './messages.ts'
import { nonVotingSection } from './non-voting-pools.ts'
import { votesSection } from './pool-votes.ts'
import { powerMapSection } from './power-map.ts'
import { hasProofSection, proofSection } from './proof.ts'
import { prose } from './prose.ts'
import { reasonSentence } from './reason.ts'
import { proposalData } from './structured-data.ts'
import { tallySection } from './tally.ts'
import { endsIn } from './time-left.ts'
import { timeline } from './timeline.ts'
import { turnoutSection } from './turnout-chart.ts'

type Detail = PageData['proposal']

const LONGEST_METADATA = 1_000

/** One line of at most `length` characters, without unpaired surrogates. */
const truncate = (text: string, length: number): string => {
  const letters = [...plainLine(text)]
  return letters.length <= length ? letters.join('') : `${letters.slice(0, length).join('')}…`
}

const stateLine = (proposal: Detail, at: PageContext): Html => {
  const { status, expedited, votingEndTime, asOf, tally } = proposal
  const left =
    status === 'voting_period'
      ? html` <span class="soft">voting ends ${endsIn(votingEndTime, asOf.time, at)}</span>`
      : null
  const quick = expedited && html` <span class="tag quiet">expedited</span>`
  const reason = reasonSentence(proposal, at)
  return html`<div id="state" data-live="yes"><p class="proposal-state">\
${outcomeTag(proposal)}${quick} ${matchBadge(tally)}${left}</p>\
${reason && html`<p class="reason">${reason}</p>`}</div>`
}

const roundItem = (round: number, { path, isShown }: { path: string; isShown: boolean }): Html => {
  const name = round === 1 ? 'Round 1: expedited' : `Round ${round}: regular`
  return html`<li><a href="${path}"${isShown && html` aria-current="page"`}>${name}</a></li>`
}

const roundLinks = ({ extras, proposalId }: Detail, at: PageContext): Html => {
  const { rounds, shownRound } = extras
  if (rounds.length < 2) return html``
  const items = rounds.map((round) => {
    const path = toHref(`${proposalPath(proposalId)}?round=${round}`, at)
    return roundItem(round, { path, isShown: round === shownRound })
  })
  return html`<nav class="rounds" aria-label="Voting rounds">\
<p>The expedited vote did not pass and became a regular vote. Its votes were discarded, and a new round started.</p>\
<ul class="inline">${items}</ul></nav>`
}

const proposerLinks = ({ proposer }: Detail, at: PageContext): Html => {
  if (proposer === null) return UNKNOWN
  const others = toHref(`/proposals?proposer=${encodePathSegment(proposer)}`, at)
  return html`${link(voterPath(proposer), code(proposer), at)} \
<a class="small" href="${others}">all proposals of this account</a>`
}

const authorList = (authors: readonly string[]): Html =>
  html`${authors.map((author, n) => [n > 0 && ', ', untrustedText(author)])}`

const proposalFacts = (proposal: Detail, at: PageContext): Html => {
  const { totalDeposit, metadata, submittedAt, failedReason, depositEndTime } = proposal
  const { authors, forumUrl } = proposal
  const { txHash = null, height = null } = submittedAt ?? {}
  const shownMetadata = html`<span class="metadata">${linkedText(truncate(metadata, LONGEST_METADATA))}</span>`
  return html`<dl class="facts" id="facts" data-live="yes">
${fact('Proposer', proposerLinks(proposal, at))}
${fact('Deposit', coinList(totalDeposit, at))}
${fact('Deposit period ends', timestamp(depositEndTime))}
${txHash !== null && fact('Transaction', explorerLink({ txHash, height }, code(txHash), at))}
${authors.length > 0 && fact('Authors (from the metadata)', authorList(authors))}
${forumUrl !== null && fact('Forum (from the metadata)', linkedText(forumUrl))}
${metadata !== '' && fact('Metadata', shownMetadata)}
${failedReason !== null && fact('Failure reason', untrustedText(failedReason))}
</dl>`
}

const UNTRUSTED = html`<p class="small soft">Written by the proposer. \
Its statements and links are not verified.</p>`

/** Marks a text that is not the proposal's own. */
const fromMetadata = (source: Detail['titleSource'], name: string): Html | null =>
  source === 'metadata'
    ? html`<p class="small soft">The ${name} is from the metadata of the proposal.</p>\n`
    : null

const descriptionSection = ({ summary, summarySource }: Detail): Html =>
  section(
    { id: 'text', title: 'Description' },
    html`\n${UNTRUSTED}\n${fromMetadata(summarySource, 'description')}${prose(summary)}`,
  )

const mainContent = (proposal: Detail, at: PageContext): Html => html`${BAR_PATTERNS}<article>
<header class="proposal-head"><p class="soft">Proposal ${proposal.proposalId}</p>
<h1>${untrustedText(proposal.title, html`(no title)`)}</h1>
${fromMetadata(proposal.titleSource, 'title')}${stateLine(proposal, at)}</header>
<div id="life" data-live="yes">${timeline(proposal, at)}</div>
${roundLinks(proposal, at)}
${depositPeriodSection(proposal, at)}
${tallySection(proposal, at)}
${powerMapSection(proposal, at)}
${descriptionSection(proposal)}
${section({ id: 'messages', title: 'What it does' }, html`\n${messages(proposal, at)}`)}
${turnoutSection(proposal, at)}
${votesSection(proposal, at)}
${nonVotingSection(proposal, at)}
${evidenceSection(proposal, at)}
${proofSection(proposal, at)}
${depositsSection(proposal, at)}
${earlierSection(proposal, at)}
${section({ id: 'details', title: 'Details' }, html`\n${proposalFacts(proposal, at)}`)}
</article>`

export const proposalHtml = (proposal: Detail, at: PageContext): string => {
  const { proposalId, asOf, extras } = proposal
  const isOther = proposal.round !== null && extras.shownRound !== proposal.round
  return layout(
    {
      title: proposalHeadline(proposal),
      description: proposalDescription(proposal, asOf),
      path: `${proposalPath(proposalId)}${isOther ? `?round=${extras.shownRound}` : ''}`,
      json: `/api/proposals/${proposalId}`,
      data: proposalData(proposal, at),
      asOf,
      scripts: hasProofSection(proposal) ? [TABLE_SCRIPT, PROOF_SCRIPT] : [TABLE_SCRIPT],
      stream: isOpen(proposal) ? `/api/stream?proposalId=${proposalId}` : undefined,
      main: mainContent(proposal, at),
    },
    at,
  )
}
