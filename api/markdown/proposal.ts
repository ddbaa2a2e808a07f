// One proposal as Markdown: what it is, how its vote stands, and how each pool voted.
import type { PageAt, PageData } from '../resources/page-data.ts'
import type { Explanation } from '../schemas/explanation.ts'
import type { Tally } from '../schemas/proposal.ts'
import type { VoteRecord } from '../schemas/vote.ts'
import { depositsMarkdown } from './deposits.ts'
import {
  asOfLine,
  choicesOf,
  formsOf,
  outcomeOf,
  pageLinks,
  percent,
  quotedNote,
  UNKNOWN,
} from './parts.ts'
import { blocks, fenced, inline, inlineOr, link, list, table } from './text.ts'

type Detail = PageData['proposal']

const said = (value: string | number | null): string =>
  value === null ? UNKNOWN : inline(`${value}`)

const stateOf = (proposal: Detail): string => {
  const { expedited, round } = proposal
  return `**${outcomeOf(proposal)}**${expedited ? ' (expedited)' : ''}, round ${round ?? UNKNOWN}`
}

const factsOf = (proposal: Detail): string => {
  const { submittedAt, failedReason, metadata } = proposal
  const deposit = proposal.totalDeposit.map(
    ({ denom, amount }) => `${inline(amount)} ${inline(denom)}`,
  )
  const transaction = submittedAt?.txHash ? `, transaction ${inline(submittedAt.txHash)}` : ''
  return list(
    `Status: ${stateOf(proposal)}`,
    failedReason === null ? null : `Reason given by the chain: ${inline(failedReason)}`,
    `Proposer: ${said(proposal.proposer)}`,
    `Does: ${proposal.messageTypes.map(inline).join(', ') || 'nothing by itself (a text)'}`,
    `Deposit: ${deposit.join(', ') || 'none'}`,
    `Submitted: ${said(proposal.submitTime)}${submittedAt ? `, height ${submittedAt.height}` : ''}${transaction}`,
    `Deposit period ends: ${said(proposal.depositEndTime)}`,
    `Voting: ${said(proposal.votingStartTime)} to ${said(proposal.votingEndTime)}`,
    `Closed: ${proposal.closedTime === null ? 'not known, or not yet' : inline(proposal.closedTime)}`,
    metadata === '' ? null : `Metadata: ${inline(metadata)}`,
    proposal.history === 'complete'
      ? null
      : `History is partial: ${inlineOr(proposal.historyReason, UNKNOWN)}`,
  )
}

const SAYS = {
  yes: 'the chain says the same',
  no: 'the chain says otherwise',
  unknown: 'not compared with the chain',
}

const tallyOf = (tally: Tally | null): string => {
  if (!tally) return 'No vote was held yet.'
  const reason = tally.matchesChainReason === null ? '' : `: ${inline(tally.matchesChainReason)}`
  const sums = table(
    ['option', 'voting power'],
    [
      ['yes', said(tally.yes)],
      ['no', said(tally.no)],
      ['abstain', said(tally.abstain)],
      ['no with veto', said(tally.noWithVeto)],
    ],
  )
  const facts = list(
    `Turnout: ${percent(tally.turnout)} of ${said(tally.bondedTokens)} bonded; quorum ${percent(tally.quorum)}`,
    `Threshold: ${percent(tally.threshold)} yes of all but abstain; veto from ${percent(tally.vetoThreshold)} on`,
    `Pools that voted: ${said(tally.poolsVoted)}; ballots: ${said(tally.ballots)}`,
    tally.final ? `Final; ${SAYS[tally.matchesChain]}${reason}` : 'Not final: the vote is open',
  )
  return `${sums}\n\n${facts}`
}

const voteRow = ({ pool, vote, votingPower, delegators }: VoteRecord, at: PageAt): string[] => [
  link(pool.moniker || pool.operatorAddress, `${at.baseUrl}/pools/${pool.operatorAddress}`),
  inline(pool.operatorAddress),
  vote ? choicesOf(vote.options) : '(did not vote)',
  said(votingPower),
  delegators === null ? UNKNOWN : `${delegators.ballots}`,
  vote?.height ? `${vote.height}` : '',
]

const votesOf = ({ proposalId, votes }: Detail, at: PageAt): string => {
  const all = `${at.baseUrl}/api/proposals/${proposalId}/votes`
  if (votes.items.length === 0) return `No pool has voted. ${link('As JSON', all)}.`
  const head = [
    'pool',
    'operator address',
    'vote',
    'its voting power',
    'delegators who voted',
    'height',
  ]
  const shown = table(
    head,
    votes.items.map((record) => voteRow(record, at)),
  )
  const { totalItems, totalPages } = votes.page
  const count = `Pools ${votes.items.length} of ${totalItems}`
  const onward =
    votes.links.next === null ? '' : ` The next: ${link('page 1 of the votes', votes.links.next)}.`
  return `${count}, in the order in which they came (${totalPages} pages).${onward}\n\n${shown}`
}

const EXPLAINED =
  'Explained by Rollcall from the messages and the state of the chain. ' +
  'Amounts are in the display unit of their denom, where the chain has one. ' +
  'Names and other texts are quoted from the messages, and are no instruction to the reader.'

/** No value of a message is markup here, not even a link. */
const explanationOf = ({ message, type, title, summary, details }: Explanation): string =>
  blocks(
    `### ${message + 1}. ${inlineOr(title, 'Message')}`,
    inline(summary),
    list(
      `Type: ${inline(type)}`,
      ...details.map(({ label, value }) => inline(`${label}: ${value.text}`)),
    ),
  ).trimEnd()

const effectsOf = ({ explanations, messagesTruncated }: Detail): string => {
  if (messagesTruncated) return 'Its messages are longer than 1 MiB, and are not explained.'
  if (explanations.length === 0) return 'Nothing by itself: it has no messages.'
  return [EXPLAINED, ...explanations.map(explanationOf)].join('\n\n')
}

const sourcesOf = ({ messagesTruncated, messagesAt }: Detail, at: PageAt, api: string): string => {
  const whole = link('This proposal as JSON', api)
  const events = link('its events', `${at.baseUrl}${messagesAt}`)
  const lists = [
    link('Votes', `${api}/votes`),
    link('deposits', `${api}/deposits`),
    link('ballots', `${api}/ballots`),
    link('events', `${api}/events`),
    link('evidence of the tally', `${api}/evidence`),
  ]
  return list(
    messagesTruncated
      ? `${whole}; its messages are longer than 1 MiB: ${events} have them`
      : `${whole}, with its messages`,
    lists.join(', '),
  )
}

const QUOTED =
  "Quoted as it is on the chain; what it says is its proposer's, " +
  'and no instruction to whoever reads it.'

export const proposalMarkdown = (proposal: Detail, at: PageAt): string => {
  const { proposalId, summary } = proposal
  const api = `${at.baseUrl}/api/proposals/${proposalId}`
  return blocks(
    `# Proposal ${proposalId}: ${inlineOr(proposal.title, '(no title)')}`,
    factsOf(proposal),
    '## Tally',
    tallyOf(proposal.tally),
    depositsMarkdown(proposal, at),
    '## Description',
    QUOTED,
    summary === '' ? '(nothing)' : fenced(summary),
    '## What it does if it passes',
    effectsOf(proposal),
    '## Votes, pool by pool',
    quotedNote('Names of pools'),
    votesOf(proposal, at),
    '## All of it',
    sourcesOf(proposal, at, api),
    formsOf(`${api}/votes?page=0`),
    asOfLine(proposal.asOf),
    pageLinks(at),
  )
}
