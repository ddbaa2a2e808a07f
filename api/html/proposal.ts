// The page of one proposal: what it says, what it would do, how its vote stands, and how that is known.
import { type Html, html } from '../../infra/html/html.ts'
import { plainLine } from '../markdown/text.ts'
import type { PageAt, PageData } from '../resources/page-data.ts'
import { TABLE_SCRIPT } from './assets.ts'
import { BAR_PATTERNS } from './bar.ts'
import { evidenceSection, matchBadge } from './evidence.ts'
import { layout } from './layout.ts'
import { messages } from './messages.ts'
import {
  code,
  coin,
  inPath,
  moment,
  proposalPath,
  said,
  statusTag,
  to,
  UNKNOWN,
  voterPath,
} from './parts.ts'
import { votesSection } from './pool-votes.ts'
import { prose } from './prose.ts'
import { silentSection } from './silent-pools.ts'
import { proposalData } from './structured-data.ts'
import { tallySection } from './tally.ts'
import { endsIn } from './time-left.ts'
import { timeline } from './timeline.ts'
import { turnoutSection } from './turnout-chart.ts'

type Detail = PageData['proposal']

const LONGEST_TITLE = 200
const LONGEST_DESCRIPTION = 200

/** One line, cut where it is long, without half a letter. */
const short = (text: string, length: number): string => {
  const letters = [...plainLine(text)]
  return letters.length <= length ? letters.join('') : `${letters.slice(0, length).join('')}…`
}

const headOf = (proposal: Detail): Html => {
  const { status, expedited, votingEndTime, asOf, tally } = proposal
  const left =
    status === 'voting_period'
      ? html` <span class="soft">voting ends ${endsIn(votingEndTime, asOf.time)}</span>`
      : null
  return html`<p class="proposal-state" id="state" data-live="yes">${statusTag(status)}${expedited && html` <span class="tag quiet">expedited</span>`} ${matchBadge(tally)}${left}</p>`
}

const roundsOf = ({ extras, proposalId }: Detail, at: PageAt): Html => {
  const { rounds, shownRound } = extras
  if (rounds.length < 2) return html``
  const name = (round: number) => (round === 1 ? 'Round 1: expedited' : `Round ${round}: ordinary`)
  return html`<nav class="rounds" aria-label="Rounds of voting"><p>The expedited vote fell back to an ordinary one: its votes were void, and a new round began.</p><ul class="inline">${rounds.map((round) => html`<li><a href="${to(`${proposalPath(proposalId)}?round=${round}`, at)}"${round === shownRound ? html` aria-current="page"` : null}>${name(round)}</a></li>`)}</ul></nav>`
}

const factsOf = (proposal: Detail, at: PageAt): Html => {
  const { proposer, totalDeposit, metadata, submittedAt, failedReason, depositEndTime } = proposal
  const fact = (name: string, value: Html | null | false) =>
    value && html`<dt>${name}</dt><dd>${value}</dd>`
  const deposits = totalDeposit.map((each, n) => html`${n > 0 ? ', ' : ''}${coin(each, at)}`)
  return html`<dl class="facts" id="facts" data-live="yes">
${fact('Proposer', proposer === null ? UNKNOWN : html`<a href="${to(voterPath(proposer), at)}">${code(proposer)}</a> <a class="small" href="${to(`/proposals?proposer=${inPath(proposer)}`, at)}">all its proposals</a>`)}
${fact('Deposit', deposits.length === 0 ? html`none` : html`${deposits}`)}
${fact('Deposit period until', depositEndTime === null ? UNKNOWN : moment(depositEndTime))}
${fact('Transaction', submittedAt?.txHash ? code(submittedAt.txHash) : null)}
${fact('Metadata', metadata === '' ? null : html`<span class="metadata">${said(short(metadata, 1_000))}</span>`)}
${fact('Reason given by the chain', failedReason === null ? null : said(failedReason))}
</dl>`
}

const mainOf = (proposal: Detail, at: PageAt): Html => html`${BAR_PATTERNS}<article>
<header class="proposal-head"><p class="soft">Proposal ${proposal.proposalId}</p>
<h1>${said(proposal.title, html`(no title)`)}</h1>
${headOf(proposal)}</header>
<div id="life" data-live="yes">${timeline(proposal)}</div>
${roundsOf(proposal, at)}
${tallySection(proposal, at)}
<section id="text" aria-labelledby="text-title"><h2 id="text-title">What the proposer writes</h2>
<p class="small soft">As it is on the chain. Nobody has checked what it says or where its links lead.</p>
${prose(proposal.summary)}</section>
<section id="messages" aria-labelledby="messages-title"><h2 id="messages-title">What it does if it passes</h2>
${messages(proposal, at)}</section>
${turnoutSection(proposal, at)}
${votesSection(proposal, at)}
${silentSection(proposal, at)}
${evidenceSection(proposal, at)}
<section id="details" aria-labelledby="details-title"><h2 id="details-title">Particulars</h2>
${factsOf(proposal, at)}</section>
</article>`

export const proposalHtml = (proposal: Detail, at: PageAt): string => {
  const { proposalId, title, summary, status, asOf, extras } = proposal
  const isOpen = status === 'voting_period' || status === 'deposit_period'
  const isOther = proposal.round !== null && extras.shownRound !== proposal.round
  return layout(
    {
      title: `${proposalId}: ${short(title, LONGEST_TITLE) || '(no title)'}`,
      description: short(summary, LONGEST_DESCRIPTION) || `Governance proposal ${proposalId}`,
      path: `${proposalPath(proposalId)}${isOther ? `?round=${extras.shownRound}` : ''}`,
      json: `/api/proposals/${proposalId}`,
      data: proposalData(proposal, at),
      asOf,
      scripts: [TABLE_SCRIPT],
      stream: isOpen ? `/api/stream?proposalId=${proposalId}` : undefined,
      main: mainOf(proposal, at),
    },
    at,
  )
}
