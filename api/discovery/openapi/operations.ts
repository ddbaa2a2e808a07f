// Every operation of the read API: its address, what it takes, what it answers, what can go wrong. A table; pure.
import { LIST_FORMATS, type ListType } from '../../formats/media-types.ts'
import type { ProblemCode } from '../../problem.ts'
import type { TagName } from './info.ts'
import type { AnyParameter } from './parameters.ts'
import type { SchemaName } from './schemas.ts'

export type Operation = {
  id: string
  path: string
  tag: TagName
  summary: string
  description: string
  parameters: readonly AnyParameter[]
  /** Of the JSON that is answered; absent where no JSON is. */
  answer?: SchemaName
  /** Besides those that every operation can have. */
  problems: readonly ProblemCode[]
  /** How it is sent: `list` in rows as well as JSON, `fresh` never kept by a cache, `stream` for ever. */
  kind: 'list' | 'single' | 'fresh' | 'stream'
}

/** Other forms in which lists are sent, by `Accept`. */
export const ROW_TYPES = {
  'application/x-ndjson': 'One item as JSON per line, as it stands in the page',
  'text/csv': 'RFC 4180: a line of names, then one line per item; `null` is an empty cell',
} as const
type RowType = keyof typeof ROW_TYPES

const FORMATS: Readonly<Record<string, readonly ListType[]>> = LIST_FORMATS

const isRowType = (type: ListType): type is RowType => type in ROW_TYPES

export const rowTypesOf = ({ id }: Operation): readonly RowType[] =>
  (FORMATS[id] ?? []).filter(isRowType)

const READ = ['invalid-parameter', 'token-not-in-header', 'bad-request'] as const
const AWAY = ['store-unavailable', 'nothing-projected', 'settling', 'overloaded'] as const
const OF_PROPOSAL = [...READ, 'proposal-not-found', ...AWAY] as const
const OF_ROUND = [...OF_PROPOSAL, 'round-not-found', 'cursor-expired'] as const

const proposals = { tag: 'Proposals' } as const
const owners = { tag: 'Pools and voters', kind: 'list' } as const
const service = { tag: 'Service' } as const

export const OPERATIONS: readonly Operation[] = [
  {
    ...proposals,
    ...{ id: 'listProposals', path: '/api/proposals', kind: 'list', answer: 'ProposalPage' },
    summary: 'Proposals, newest first',
    description: '20 a page. Filters are combined.',
    parameters: ['page', 'cursor', 'status', 'proposer', 'q'],
    problems: [...READ, 'cursor-expired', ...AWAY],
  },
  {
    ...proposals,
    ...{ id: 'getProposal', path: '/api/proposals/{proposalId}', kind: 'single' },
    ...{ answer: 'ProposalDetail' },
    summary: 'One proposal with the first page of its votes',
    description: 'With its decoded messages. `votes` is what the votes’ own address gives first.',
    parameters: ['proposalId'],
    problems: OF_PROPOSAL,
  },
  {
    ...proposals,
    ...{ id: 'listProposalVotes', path: '/api/proposals/{proposalId}/votes', kind: 'list' },
    ...{ answer: 'VotePage' },
    summary: 'Its votes, one row per pool',
    description:
      '100 a page, in order of first appearance: pages never shift. The rows add up to the tally. An expedited vote that fell back has two rounds; the current one is served unless `round` says otherwise.',
    parameters: ['proposalId', 'page', 'cursor', 'round'],
    problems: OF_ROUND,
  },
  {
    ...proposals,
    ...{ id: 'listProposalBallots', path: '/api/proposals/{proposalId}/ballots', kind: 'list' },
    ...{ answer: 'BallotPage' },
    summary: 'Its votes, voter by voter',
    description: '1,000 a page, in order of the first ballot, with what each delegation carried.',
    parameters: ['proposalId', 'cursor', 'round'],
    problems: OF_ROUND,
  },
  {
    ...proposals,
    ...{ id: 'listProposalEvents', path: '/api/proposals/{proposalId}/events', kind: 'list' },
    ...{ answer: 'EventPage' },
    summary: 'The events behind it',
    description: 'CloudEvents in their order, as the log has them; up to 100 a page.',
    parameters: ['proposalId', 'cursor'],
    problems: [...OF_PROPOSAL, 'cursor-expired'],
  },
  {
    ...proposals,
    ...{ id: 'listProposalEvidence', path: '/api/proposals/{proposalId}/evidence', kind: 'list' },
    ...{ answer: 'EvidencePage' },
    summary: 'All that its tally was computed from',
    description:
      'Parameters, bonded total and pools on the first page; then per voter the options, weights and delegations, 1,000 a page. Enough for anybody to compute the tally again.',
    parameters: ['proposalId', 'cursor', 'round'],
    problems: OF_ROUND,
  },
  {
    ...owners,
    ...{ id: 'listPools', path: '/api/pools', answer: 'PoolPage' },
    summary: 'Pools, most tokens first',
    description: '100 a page, each with how many votes it cast and missed.',
    parameters: ['page', 'cursor'],
    problems: [...READ, 'cursor-expired', ...AWAY],
  },
  {
    ...owners,
    ...{ id: 'listPoolVotes', path: '/api/pools/{operatorAddress}/votes' },
    ...{ answer: 'PoolRecordPage' },
    summary: 'How one pool voted',
    description: '100 a page, newest proposal first: its row of each vote, and which vote it was.',
    parameters: ['operatorAddress', 'page', 'cursor'],
    problems: [...READ, 'pool-not-found', 'cursor-expired', ...AWAY],
  },
  {
    ...owners,
    ...{ id: 'listVoterVotes', path: '/api/voters/{address}/votes', answer: 'VoterBallotPage' },
    summary: 'How one voter voted',
    description: '100 a page, newest proposal first. An account that never voted has no items.',
    parameters: ['address', 'page', 'cursor'],
    problems: [...READ, 'cursor-expired', ...AWAY],
  },
  {
    ...service,
    ...{ id: 'streamChanges', path: '/api/stream', kind: 'stream' },
    summary: 'Be told what changes',
    description:
      'Server-sent events. `proposal`: it changed, so that what was read of it is old; `data` is `{ proposalId, status, round (null where not known), final, updatedAt: { height }, links: { self } }`. `start`: the first place, to come back to. `reset`: what was missed cannot be told, read the list anew. After a break, `Last-Event-ID` goes on from where it was, at any instance.',
    parameters: ['onlyProposalId', 'lastEventId'],
    problems: [...READ, 'too-many-streams', 'streams-exhausted', ...AWAY],
  },
  {
    ...service,
    ...{ id: 'getHealth', path: '/api/health', kind: 'fresh', answer: 'Health' },
    summary: 'How fresh the answers are',
    description: '200 while the process can answer, whatever else is the matter.',
    parameters: [],
    problems: ['bad-request'],
  },
]
