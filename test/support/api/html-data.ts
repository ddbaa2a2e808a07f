// Data of the HTML pages with one case of each feature; the test gives the untrusted texts.
import type { ballotsPage } from '../../../api/pages/ballots.tsx'
import type { ProposalPageData } from '../../../api/resources/proposal-page.ts'
import type { HomeData } from '../../../api/resources/proposals.ts'
import type { Found } from '../../../api/resources/search.ts'
import type { TallyRule } from '../../../ingest/contract/tally-rule.ts'
import { shownProposal } from './shown-proposals.ts'

const TIME = '2026-11-21T08:00:00.000Z'
const page = { number: 0, size: 20, totalItems: 41, totalPages: 3, nextCursor: 'x' }
const links = {
  self: '/api/proposals?q=quorum&page=0',
  next: '/api/proposals?q=quorum&page=1',
  prev: null,
  first: '/api/proposals?page=0',
  last: '/api/proposals?page=2',
}

export const tally = {
  yes: '600',
  no: '200',
  abstain: '100',
  noWithVeto: '50' as string | null,
  final: true,
  matchesChain: 'no' as 'yes' | 'no' | 'unknown',
  matchesChainReason: 'they differ' as string | null,
  turnout: '0.9500' as string | null,
  votingPower: '950' as string | null,
  bondedTokens: '1000' as string | null,
  quorum: '0.334' as string | null,
  threshold: '0.5' as string | null,
  vetoThreshold: '0.334' as string | null,
  poolsVoted: 2 as number | null,
  ballots: 3 as number | null,
  rule: { name: 'gov' as TallyRule | null, provedAt: null as number | null, reported: false },
  stakeAt: null as number | null,
}

const voteRecord = (text: string) => ({
  rank: 0,
  pool: { operatorAddress: text, moniker: text, status: text, jailed: true, counted: false },
  vote: {
    options: [
      { option: text, weight: '0.333333333333333333' },
      { option: 'no_with_veto', weight: '0.666666666666666667' },
    ],
    height: 7,
    time: TIME,
    txHash: text,
    reason: { metadata: text, memo: text },
  },
  votingPower: '900.000000000000000001',
  bondedTokens: '1000',
  delegators: {
    ballots: 1,
    votingPower: '50',
    yes: '0',
    no: '0',
    abstain: '0',
    noWithVeto: '50',
  },
  tally: null,
})

/** In the form of the store: all fields except the type belong to the message. */
const createMessages = (text: string): ProposalPageData['messages'] => {
  const all: readonly Readonly<Record<string, unknown> & { '@type': string }>[] = [
    {
      '@type': text,
      [text]: text,
      to: [{ denom: text, amount: '5' }],
      deep: { a: { [text]: null } },
    },
    { '@type': '/cosmos.gov.v1.MsgUpdateParams', params: { quorum: '0.35' } },
  ]
  return [...all]
}

/** One message with a value of every kind, and one with only a sentence. */
const createExplanations = (text: string): ProposalPageData['explanations'] => {
  const kinds = ['text', 'code', 'address', 'link', 'time', 'json'] as const
  const values = kinds.map((kind) => ({ label: text, value: { kind, text } }))
  const link = {
    kind: 'link' as const,
    text: `https://x.example/?${encodeURIComponent(text.replace(/\p{Cs}/gu, '?'))}`,
  }
  const amount = { kind: 'amount' as const, denom: text, amount: '5', text }
  const details = [...values, { label: 'Link', value: link }, { label: text, value: amount }]
  return [
    { message: 0, type: text, title: text, summary: text, details },
    {
      message: 1,
      type: '/cosmos.gov.v1.MsgUpdateParams',
      title: 'Parameter change',
      summary: text,
      details: [],
    },
  ]
}

const createAsOf = (chainId: string) => ({ chainId, height: 9, time: '2026-11-21T09:30:00.000Z' })

/** `text` fills each field that accepts untrusted text. */
export const proposalData = (text: string): ProposalPageData => ({
  ...shownProposal({ title: text, summary: text, metadata: text, proposer: text }),
  authors: [text],
  messageTypes: [text],
  messages: createMessages(text),
  changes: [{ message: 0, path: text, from: text, to: { [text]: [text] } }],
  changesReason: null,
  depositRequirement: {
    minimum: [{ denom: text, amount: '90' }],
    expeditedMinimum: null,
    missing: [],
    reason: null,
  },
  explanations: createExplanations(text),
  status: 'rejected',
  outcomeReason: 'vetoed',
  round: 2,
  failedReason: text,
  closedTime: '2026-11-21T09:00:00.000Z',
  totalDeposit: [{ denom: text, amount: '100' }],
  submittedAt: { height: 5, txHash: text },
  tally: { ...tally, matchesChainReason: text },
  history: 'partial',
  historyReason: text,
  votes: { items: [voteRecord(text)], page, links, asOf: createAsOf(text) },
  links: {
    self: '/api/proposals/7',
    turnout: '/api/proposals/7/turnout',
    proof: '/api/proposals/7/proof',
  },
  deposits: {
    historyReason: null,
    items: [
      {
        depositor: text,
        depositorReason: null,
        amount: [{ denom: text, amount: '100' }],
        height: 5,
        time: TIME,
        txHash: text,
        eventId: text,
      },
      {
        depositor: null,
        depositorReason: text,
        amount: [],
        height: 6,
        time: TIME,
        txHash: null,
        eventId: text,
      },
    ],
    page: { ...page, totalItems: 2 },
    links,
    asOf: createAsOf(text),
  },
  asOf: createAsOf(text),
  extras: {
    rounds: [1, 2],
    shownRound: 2,
    compared: {
      computed: { yes: '600.5', no: '200', abstain: '100', noWithVeto: '50' },
      chain: { yes: '599', no: '200', abstain: '100', noWithVeto: '50' },
    },
    turnoutSeries: {
      from: TIME,
      to: '2026-11-21T09:00:00.000Z',
      steps: [
        {
          until: '2026-11-21T08:30:00.000Z',
          ballots: 3,
          votingPower: '950',
          turnout: '0.4750',
        },
      ],
      untimed: 1,
      isTimed: true,
      quorumReached: { height: 17, time: '2026-11-21T08:15:00.000Z', reason: null },
    },
    nonVotingPools: {
      isFinal: true,
      unknownReason: null,
      total: 1,
      pools: [{ operatorAddress: text, moniker: text, bondedTokens: null }],
    },
    powerMap: {
      validators: [
        {
          operatorAddress: text,
          moniker: text,
          nonVoting: '0',
          own: { yes: '600', no: '200', abstain: '0', noWithVeto: '0' },
          delegators: { yes: '0', no: '0', abstain: '100', noWithVeto: '50' },
        },
        {
          operatorAddress: `${text}2`,
          moniker: text,
          nonVoting: '40',
          own: { yes: '0', no: '0', abstain: '0', noWithVeto: '0' },
          delegators: { yes: '0', no: '0', abstain: '0', noWithVeto: '0' },
        },
      ],
      rest: null,
      unknown: 0,
    },
  },
})

export const listData = (text: string): HomeData['open'] => {
  const {
    votes: _votes,
    extras: _extras,
    messages: _messages,
    changes: _changes,
    changesReason: _changesReason,
    explanations: _explanations,
    asOf: stamp,
    ...summary
  } = proposalData(text)
  const query = new URLSearchParams({ q: text.replace(/\p{Cs}/gu, '?'), proposer: 'a', page: '0' })
  return {
    items: [summary, { ...summary, proposalId: '8', status: 'voting_period', tally: null }],
    page,
    links: { ...links, self: `/api/proposals?${query}` },
    asOf: stamp,
  }
}

export const homeData = (text: string): HomeData => ({
  ...listData(text),
  open: listData(text),
})

export const searchData = (text: string): Found => {
  const pool = { operatorAddress: text, accountAddress: text, moniker: text, status: text }
  const counts = {
    jailed: true,
    counted: false,
    bondedTokens: '5',
    proposalsVoted: 1,
    proposalsMissed: 1,
    powerShare: null,
  }
  return { text, pools: [{ ...pool, ...counts }], poolCount: 2, proposals: listData(text) }
}

export const ballotsData = (text: string): Parameters<typeof ballotsPage.write>[0] => {
  const options = [
    { option: text, weight: '0.5' },
    { option: 'no', weight: '0.5' },
  ]
  const said = { metadata: text, memo: text }
  const voter = {
    voter: text,
    options,
    counted: false,
    height: 7,
    time: TIME,
    txHash: text,
    reason: said,
  }
  const delegations = [{ operatorAddress: text, shares: '1.0', votingPower: '1' }]
  const query = new URLSearchParams({ delegatedTo: text.replace(/\p{Cs}/gu, '?'), page: '0' })
  return {
    ...listData(text),
    items: [
      { ...voter, votingPower: '1', delegations },
      { ...voter, votingPower: null, delegations: null },
    ],
    links: { ...links, self: `/proposals/7/ballots?${query}` },
    vote: { title: text, status: text, shownRound: 2, rounds: [1, 2] },
    pools: [{ operatorAddress: text, accountAddress: text, moniker: text, options }],
  }
}
