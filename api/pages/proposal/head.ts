// The head of a proposal: its title, its state with the reason, and its timeline.
import { type Html, html } from '../../../infra/base/html/html.ts'
import type { PageContext } from '../../document/context.ts'
import { outcomeTag, untrustedText } from '../../document/html/inline.ts'
import { renderBlocks, renderInline } from '../../document/html/render.ts'
import { type Inline, quoted, soft, status, strong, time, UNKNOWN } from '../../document/line.ts'
import { type Block, type Facts, facts, paragraph, picture } from '../../document/tree.ts'
import { endsIn } from '../../html/time-left.ts'
import { type Step, timeline } from '../../html/timeline.ts'
import { plainReason } from '../../in-words.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import type { Tally } from '../../schemas/tally.ts'
import { describeHistory } from './history.ts'
import { matchBadge } from './match-badge.ts'
import { describeReason } from './reason.ts'
import { toSteps } from './steps.ts'

type Proposal = ProposalPageData

/** Marks a text that is not the proposal's own. */
export const noteSource = (source: Proposal['titleSource'], name: 'title' | 'description'): Block =>
  source === 'metadata' &&
  paragraph(`The ${name} is from the metadata of the proposal.`, 'small soft')

/** Whether the count was compared with that of the chain, with the reason if it was not. */
const describeMatch = (tally: Tally | null): Inline => {
  if (!tally?.final) return null
  const { matchesChain, matchesChainReason: reason } = tally
  return [matchBadge(matchesChain), reason !== null && [' ', soft(quoted(plainReason(reason)))]]
}

const stateLine = (proposal: Proposal, at: PageContext): Html => {
  const { status: state, expedited, votingEndTime, asOf, tally } = proposal
  const left =
    state === 'voting_period' &&
    html` <span class="soft">voting ends ${endsIn(votingEndTime, asOf.time, at)}</span>`
  const quick = expedited && html` <span class="tag quiet">expedited</span>`
  const match = renderInline(describeMatch(tally), at)
  return html`<p class="proposal-state">${outcomeTag(proposal)}${quick} ${match}${left}</p>`
}

const headAsHtml = (proposal: Proposal, steps: readonly Step[], at: PageContext): Html => {
  const { proposalId, title, titleSource, asOf } = proposal
  const reason = describeReason(proposal, at)
  return html`<header class="proposal-head"><p class="soft">Proposal ${proposalId}</p>
<h1>${untrustedText(title, html`(no title)`)}</h1>
${renderBlocks([noteSource(titleSource, 'title')], at)}
<div id="state" data-live="yes">${stateLine(proposal, at)}\
${reason !== null && html`<p class="reason">${renderInline(reason, at)}</p>`}</div></header>
<div id="life" data-live="yes">${timeline(steps, { now: asOf.time, at })}</div>`
}

/** The title of each message with its type, or the type alone if there is no explanation. */
const describeMessages = ({ messageTypes, messageCount, explanations }: Proposal): Inline => {
  const names = messageTypes.map((type) => {
    const title = explanations.find((each) => each.type === type)?.title
    return title === undefined ? quoted(type) : [quoted(title), ' (', quoted(type), ')']
  })
  const more = messageCount - messageTypes.length
  const all = [...names, ...(more > 0 ? [`and ${more} more`] : [])]
  return all.length === 0 ? 'none' : all.map((name, n) => [n > 0 && ', ', name])
}

const stateFacts = (proposal: Proposal, at: PageContext): Facts => {
  const { expedited, round, tally } = proposal
  const reason = describeReason(proposal, at)
  const history = describeHistory(proposal)
  return [
    [
      'Status',
      [
        strong(status(proposal)),
        expedited && ' (expedited)',
        round !== 0 && [', round ', round ?? UNKNOWN],
      ],
    ],
    tally?.final === true && ['Count', describeMatch(tally)],
    reason !== null && ['Reason', reason],
    history !== null && ['History', history],
    ['What it does', describeMessages(proposal)],
  ]
}

/** A proposal that ends early does not reach the end of its vote, so no step has it. */
const plannedEnd = ({ closedTime, votingEndTime }: Proposal): Facts[number] =>
  closedTime !== null &&
  votingEndTime !== null &&
  Date.parse(closedTime) < Date.parse(votingEndTime) && [
    'Planned end of voting',
    time(votingEndTime),
  ]

const toFact = ({ name, time: at, height }: Step): Facts[number] => [
  name,
  [time(at), height !== undefined && `, block ${height}`],
]

export const writeHead = (proposal: Proposal, at: PageContext): Block => {
  const steps = toSteps(proposal)
  return picture(
    headAsHtml(proposal, steps, at),
    noteSource(proposal.titleSource, 'title'),
    facts(...stateFacts(proposal, at), ...steps.map(toFact), plannedEnd(proposal)),
  )
}
