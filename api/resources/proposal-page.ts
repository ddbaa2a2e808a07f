// `/proposals/{proposalId}`: the data of a proposal page: tally, votes and deposits; and what only the page has of a round: both tallies,
// turnout over time, non-voting pools and voting power.
import type { Static } from 'typebox'
import type { TallyRow } from '../../projections/contract/tables/votes.ts'
import type { StoreReads } from '../read/queries/as-of.ts'
import { type NonVotingPools, readPoolPowers } from '../read/queries/non-voting-pools.ts'
import type { PowerByValidator } from '../read/queries/power-map.ts'
import { findTally, type ProposalHead } from '../read/queries/proposal.ts'
import { readRound } from '../read/queries/proposal-rounds.ts'
import { readTurnoutSeries, type TurnoutSeries } from '../read/queries/turnout.ts'
import { formatAmount, formatPower } from '../read/queries/values.ts'
import { createInnerQuery, proposalVersion, type Query } from '../read/query.ts'
import type { DepositPage } from '../schemas/deposit.ts'
import type { Proposal, ProposalDetail } from '../schemas/proposal.ts'
import type { OptionSums } from '../schemas/vote.ts'
import { shortenNames, shortenTexts } from '../words/shortened.ts'
import { proposalDeposits } from './deposits.ts'
import { createRequestParser } from './operation.ts'
import { formatPath } from './path-parameters.ts'
import { createProposalLinks, readProposal } from './proposal.ts'
import { proposalVotes } from './votes.ts'

type Sums = Static<typeof OptionSums>

export type ProposalExtras = {
  /** Rounds with a vote, in order. */
  rounds: number[]
  /** The round on the page; 0 for a proposal without a vote. */
  shownRound: number
  /** The tally computed from events and the tally of the chain; null without a vote. */
  compared: { computed: Sums; chain: Sums } | null
  turnoutSeries: TurnoutSeries | null
  nonVotingPools: NonVotingPools | null
  /** Voting power per validator; null without a vote. */
  powerMap: PowerByValidator | null
}

const toComparedTallies = (row: TallyRow): ProposalExtras['compared'] => ({
  computed: {
    yes: formatPower(row.liveYes),
    no: formatPower(row.liveNo),
    abstain: formatPower(row.liveAbstain),
    noWithVeto: formatPower(row.liveNoWithVeto),
  },
  chain: {
    yes: formatAmount(row.chainYes),
    no: formatAmount(row.chainNo),
    abstain: formatAmount(row.chainAbstain),
    noWithVeto: formatAmount(row.chainNoWithVeto),
  },
})

export const readExtras = async (
  reads: StoreReads,
  head: ProposalHead,
  shownRound: number,
): Promise<ProposalExtras> => {
  const tally = findTally(head, shownRound)
  const rounds = head.tallies.map(({ round }) => round)
  const nothing = { compared: null, turnoutSeries: null, nonVotingPools: null, powerMap: null }
  if (!tally) return { rounds, shownRound, ...nothing }
  const vote = { proposalId: head.row.proposalId, round: shownRound, tally }
  const [turnoutSeries, powers] = await Promise.all([
    readTurnoutSeries(reads, { row: head.row, round: shownRound, tally }),
    readPoolPowers(reads, vote),
  ])
  return {
    rounds,
    shownRound,
    compared: toComparedTallies(tally),
    turnoutSeries: turnoutSeries ?? null,
    ...powers,
  }
}

/** `tally` and `votes` belong to one round. `deposits` is the first page. */
export type ProposalPageData = Static<typeof ProposalDetail> & {
  deposits: Static<typeof DepositPage>
  extras: ProposalExtras
}

type Facts = { proposal: Proposal; extras: ProposalExtras }
type Value = Facts & { votes: unknown; deposits: unknown }

/** Data that all vote pages of a round share. Its read costs as much as all ballots of the round. */
const createRoundFactsQuery = (proposalId: string, round: number): Query<Facts> =>
  createInnerQuery({
    name: `facts of ${proposalId}/${round}`,
    proposalId,
    version: proposalVersion(proposalId),
    read: async (reads) => {
      const { proposal, head } = await readProposal(reads, proposalId, round)
      const extras = await readExtras(reads, head, round)
      return { value: { proposal, extras: shortenTexts(extras) } }
    },
  })

const PAGE = {
  path: '/proposals/:proposalId',
  queryParameters: ['page', 'round'],
} as const

type ProposalPageRequest = {
  proposalId: string
  page?: number | undefined
  round?: number | undefined
}

const createQuery = ({
  proposalId,
  page = 0,
  round,
}: ProposalPageRequest): Query<Value, ProposalPageData> => {
  const votes = proposalVotes.query({ proposalId, page, round, sort: 'power' })
  const deposits = proposalDeposits.query({ proposalId })
  return {
    name: `${formatPath(PAGE.path, { proposalId })}?round=${round ?? 'current'}&page=${page}`,
    proposalId,
    version: proposalVersion(proposalId),
    read: async (reads) => {
      const shown = await readRound(reads, { proposalId, round })
      const [facts, read, deposited] = await Promise.all([
        reads.use(createRoundFactsQuery(proposalId, shown.round)),
        reads.use(votes),
        reads.use(deposits),
      ])
      return {
        value: { ...facts.value, votes: read.value, deposits: deposited.value },
        isUncached: read.isUncached ?? false,
      }
    },
    complete: (value, completion) => ({
      ...shortenNames(value.proposal),
      votes: votes.complete(value.votes, completion),
      deposits: deposits.complete(value.deposits, completion),
      links: createProposalLinks(value.proposal, completion.baseUrl),
      asOf: completion.asOf,
      extras: value.extras,
    }),
  }
}

export const proposalPageRequest = {
  ...PAGE,
  query: createQuery,
  parseRequest: createRequestParser(PAGE, createQuery),
}
