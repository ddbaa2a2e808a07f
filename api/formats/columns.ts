// The flat columns of each list's rows. Columns are added at the end, never renamed: programs know them by name and place.
import type { Static } from 'typebox'
import type { UnreadEnvelope } from '../../ingest/contract/envelope.ts'
import type { Ballot, VoterBallotPage } from '../schemas/ballot.ts'
import type { Pool, PoolRecordPage } from '../schemas/pool.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import type { VoteRecord } from '../schemas/vote.ts'
import type { Cell } from './csv.ts'
import type { ListOperation } from './media-types.ts'

/** By name, in order. `text` is the item as it stands in the JSON. */
type Columns<Item> = Readonly<Record<string, (item: Item, text: string) => Cell>>

type Option = { option: string; weight: string }

/** `yes:1.000000000000000000`, a split vote's choices apart by a space. */
const choicesOf = (options: readonly Option[]): string =>
  options.map(({ option, weight }) => `${option}:${weight}`).join(' ')

const PROPOSAL: Columns<ProposalSummary> = {
  proposalId: (item) => item.proposalId,
  title: (item) => item.title,
  status: (item) => item.status,
  expedited: (item) => item.expedited,
  round: (item) => item.round,
  proposer: (item) => item.proposer,
  messageTypes: (item) => item.messageTypes.join(' '),
  submitTime: (item) => item.submitTime,
  depositEndTime: (item) => item.depositEndTime,
  votingStartTime: (item) => item.votingStartTime,
  votingEndTime: (item) => item.votingEndTime,
  closedTime: (item) => item.closedTime,
  totalDeposit: (item) => item.totalDeposit.map(({ amount, denom }) => amount + denom).join(' '),
  submittedHeight: (item) => item.submittedAt?.height,
  submittedTxHash: (item) => item.submittedAt?.txHash,
  updatedHeight: (item) => item.updatedAt.height,
  tallyYes: (item) => item.tally?.yes,
  tallyNo: (item) => item.tally?.no,
  tallyAbstain: (item) => item.tally?.abstain,
  tallyNoWithVeto: (item) => item.tally?.noWithVeto,
  tallyFinal: (item) => item.tally?.final,
  matchesChain: (item) => item.tally?.matchesChain,
  matchesChainReason: (item) => item.tally?.matchesChainReason,
  turnout: (item) => item.tally?.turnout,
  bondedTokens: (item) => item.tally?.bondedTokens,
  quorum: (item) => item.tally?.quorum,
  threshold: (item) => item.tally?.threshold,
  vetoThreshold: (item) => item.tally?.vetoThreshold,
  poolsVoted: (item) => item.tally?.poolsVoted,
  ballots: (item) => item.tally?.ballots,
  failedReason: (item) => item.failedReason,
  history: (item) => item.history,
  historyReason: (item) => item.historyReason,
  metadata: (item) => item.metadata,
  summary: (item) => item.summary,
}

const VOTE: Columns<VoteRecord> = {
  rank: (item) => item.rank,
  operatorAddress: (item) => item.pool.operatorAddress,
  moniker: (item) => item.pool.moniker,
  poolStatus: (item) => item.pool.status,
  jailed: (item) => item.pool.jailed,
  options: (item) => item.vote && choicesOf(item.vote.options),
  height: (item) => item.vote?.height,
  time: (item) => item.vote?.time,
  txHash: (item) => item.vote?.txHash,
  votingPower: (item) => item.votingPower,
  bondedTokens: (item) => item.bondedTokens,
  delegatorBallots: (item) => item.delegators?.ballots,
  delegatorVotingPower: (item) => item.delegators?.votingPower,
  delegatorYes: (item) => item.delegators?.yes,
  delegatorNo: (item) => item.delegators?.no,
  delegatorAbstain: (item) => item.delegators?.abstain,
  delegatorNoWithVeto: (item) => item.delegators?.noWithVeto,
  tallyYes: (item) => item.tally?.yes,
  tallyNo: (item) => item.tally?.no,
  tallyAbstain: (item) => item.tally?.abstain,
  tallyNoWithVeto: (item) => item.tally?.noWithVeto,
}

const BALLOT: Columns<Ballot> = {
  voter: (item) => item.voter,
  options: (item) => choicesOf(item.options),
  counted: (item) => item.counted,
  height: (item) => item.height,
  time: (item) => item.time,
  txHash: (item) => item.txHash,
  votingPower: (item) => item.votingPower,
  /** As JSON: there may be any number. */
  delegations: (item) => item.delegations && JSON.stringify(item.delegations),
}

const POOL: Columns<Pool> = {
  operatorAddress: (item) => item.operatorAddress,
  accountAddress: (item) => item.accountAddress,
  moniker: (item) => item.moniker,
  status: (item) => item.status,
  jailed: (item) => item.jailed,
  bondedTokens: (item) => item.bondedTokens,
  proposalsVoted: (item) => item.proposalsVoted,
  proposalsMissed: (item) => item.proposalsMissed,
}

/** Of which proposal a record speaks. */
const ABOUT: Columns<
  Pick<Static<typeof VoterBallotPage>['items'][number], 'proposalId' | 'title' | 'status' | 'round'>
> = {
  proposalId: (item) => item.proposalId,
  title: (item) => item.title,
  status: (item) => item.status,
  round: (item) => item.round,
}

const POOL_RECORD: Columns<Static<typeof PoolRecordPage>['items'][number]> = { ...ABOUT, ...VOTE }
const VOTER_RECORD: Columns<Static<typeof VoterBallotPage>['items'][number]> = {
  ...ABOUT,
  ...BALLOT,
}

const EVENT: Columns<UnreadEnvelope> = {
  height: (item) => item.height,
  index: (item) => item.index,
  time: (item) => item.time,
  type: (item) => item.type,
  id: (item) => item.id,
  subject: (item) => item.subject,
  event: (_item, text) => text,
}

/** Null where a list has no rows that are flat. */
export const COLUMNS = {
  listProposals: PROPOSAL,
  listProposalVotes: VOTE,
  listProposalBallots: BALLOT,
  listProposalEvents: EVENT,
  listProposalEvidence: null,
  listPools: POOL,
  listPoolVotes: POOL_RECORD,
  listVoterVotes: VOTER_RECORD,
} as const satisfies Record<ListOperation, unknown>

/** Reads an item's text as what its list says it is. */
export const rowOf = (operation: ListOperation, text: string): Cell[] => {
  const columns = COLUMNS[operation] as Columns<unknown> | null
  const item: unknown = JSON.parse(text)
  return Object.values(columns ?? {}).map((cell) => cell(item, text))
}

export const headOf = (operation: ListOperation): string[] => Object.keys(COLUMNS[operation] ?? {})
