// The names and row types of the read model, as in projections/migrations: types and constants only. Rows have the same format
// when written and read: integers of 64 bits and more and decimals are strings, NULL is null.
import type { TallyRule } from '../../ingest/contract/tally-rule.ts'
import type { MissedVoteRow } from './missed-votes.ts'

/** Data across generations: which one is active. */
export const CONTROL_DATABASE = 'rollcall'

/** The database of one generation's tables. */
export const toDatabaseName = (generation: number, control = CONTROL_DATABASE): string =>
  `${control}_${generation}`

/** Tables of one generation. */
export const TABLE = {
  events: 'events',
  proposals: 'proposals',
  messageBytes: 'message_bytes',
  proposalProofs: 'proposal_proofs',
  lightBlocks: 'light_blocks',
  validatorSets: 'validator_sets',
  ballots: 'ballots',
  /** ClickHouse fills it from `ballots`. */
  ballotsByVoter: 'ballots_by_voter',
  pools: 'pools',
  poolStates: 'pool_states',
  voterStakes: 'voter_stakes',
  poolVotes: 'pool_votes',
  /** ClickHouse fills it from `pool_votes`. */
  votesByPool: 'votes_by_pool',
  missedVotes: 'missed_votes',
  tallies: 'tallies',
  watermarks: 'watermarks',
  checkpoints: 'checkpoints',
  deadLetters: 'dead_letters',
  claims: 'claims',
  revocations: 'revocations',
} as const

/** Name of the governance runner: its key in `checkpoints`. */
export const RUNNER = 'governance'
/** The same for the runner of the log of agents. */
export const AGENT_RUNNER = 'agents'

/** UInt64, UInt256, Int256 or Decimal(76, 18) in decimal digits. */
export type Digits = string
/** UTC as ClickHouse prints it: `2026-11-21 08:00:00.000000000`, without a zone. */
export type Timestamp = string

export type EventRow = {
  position: Digits
  proposal_id: Digits
  type: string
  id: string
  height: Digits
  time: Timestamp
  event: string
}

export type CoinTuple = { denom: string; amount: string }
export type OptionTuple = { option: string; weight: string }
export type StakeTuple = { operator_address: string; shares: string }
export type DelegationTuple = StakeTuple & {
  /** As the tally counted it, or as of the cancellation of the vote; null before, and without evidence. */
  voting_power_atto: Digits | null
}

export type ProposalRow = {
  proposal_id: Digits
  title: string
  /** `metadata`: the proposal has no title of its own. Empty: it has none at all. */
  title_source: 'proposal' | 'metadata' | ''
  summary: string
  summary_source: ProposalRow['title_source']
  /** From the metadata. */
  authors: readonly string[]
  /** From the metadata; null if there is none. */
  forum_url: string | null
  metadata: string
  proposer: string | null
  /** Of the first 20 messages; in a row of an earlier version, of all. */
  message_types: readonly string[]
  message_count: number
  /** The other types, each once. */
  further_message_types: readonly string[]
  messages: string
  /** JSON of a `ProposalContext`; empty in a row of an earlier version. */
  context: string
  /** JSON of `ParameterChanges`; empty in a row of an earlier version. */
  changes: string
  status: string
  expedited: boolean
  round: number
  /** Why `round` is only a lower bound; null if the round is known. */
  round_reason: string | null
  failed_reason: string | null
  submit_time: Timestamp | null
  deposit_end_time: Timestamp | null
  voting_start_time: Timestamp | null
  voting_end_time: Timestamp | null
  closed_time: Timestamp | null
  closed_height: Digits | null
  total_deposit: readonly CoinTuple[]
  /** By the current parameters, or those at the end of the deposit period; empty if unknown. */
  min_deposit: readonly CoinTuple[]
  /** The same for an expedited vote; empty if the chain has none. */
  expedited_min_deposit: readonly CoinTuple[]
  /** Why `min_deposit` is unknown; null if it is known. */
  min_deposit_reason: string | null
  submitted_height: Digits | null
  submitted_tx_hash: string | null
  history: 'complete' | 'partial' | 'reconstructed'
  history_reason: string | null
  version: Digits
}

/** One chunk of a message field that is too long for `messages`. */
export type MessageBytesRow = {
  proposal_id: Digits
  /** Index of the message in the proposal. */
  message: number
  /** JSON pointer of the field in the message. */
  path: string
  chunk: number
  chunks: number
  /** SHA-256 and number of bytes of all chunks together. */
  sha256: string
  size: Digits
  /** Base64. */
  bytes: string
  version: Digits
}

export type BallotRow = {
  proposal_id: Digits
  round: number
  rank: number
  voter: string
  options: readonly OptionTuple[]
  counted: boolean
  height: Digits | null
  time: Timestamp | null
  tx_hash: string | null
  /**
   * Sum over the delegations as the tally counted it, or as of the cancellation of the vote. Null before, and
   * without evidence.
   */
  voting_power_atto: Digits | null
  delegations_known: boolean
  delegations: readonly DelegationTuple[]
  version: Digits
}

/** The delegations of a voter from `position` until the next row. */
export type VoterStakeRow = {
  voter: string
  position: Digits
  height: Digits
  time: Timestamp
  delegations_known: boolean
  delegations: readonly StakeTuple[]
}

export type PoolRow = {
  operator_address: string
  account_address: string
  moniker: string
  tokens: Digits
  delegator_shares: Digits
  status: string
  jailed: boolean
  /** False if tallies leave the pool out, although it is bonded and not jailed. */
  counted: boolean
  version: Digits
}

export type PoolStateRow = {
  operator_address: string
  position: Digits
  height: Digits
  time: Timestamp
  moniker: string
  tokens: Digits
  delegator_shares: Digits
  status: string
  jailed: boolean
  /** False if tallies leave the pool out, although it is bonded and not jailed. */
  counted: boolean
}

export type PoolVoteRow = {
  proposal_id: Digits
  round: number
  rank: number
  operator_address: string
  moniker: string
  status: string
  jailed: boolean
  /** False if tallies leave the pool out, although it is bonded and not jailed. */
  counted: boolean
  voted: boolean
  options: readonly OptionTuple[]
  vote_height: Digits | null
  vote_time: Timestamp | null
  vote_tx_hash: string | null
  voting_power_atto: Digits | null
  bonded_tokens: Digits | null
  delegator_ballots: number
  delegator_power_atto: Digits | null
  delegator_yes_atto: Digits | null
  delegator_abstain_atto: Digits | null
  delegator_no_atto: Digits | null
  delegator_no_with_veto_atto: Digits | null
  yes_atto: Digits | null
  abstain_atto: Digits | null
  no_atto: Digits | null
  no_with_veto_atto: Digits | null
  version: Digits
}

export type MatchesChain = 'yes' | 'no' | 'unknown'
export type TallyRow = {
  proposal_id: Digits
  round: number
  yes: Digits | null
  abstain: Digits | null
  no: Digits | null
  no_with_veto: Digits | null
  chain_yes: Digits | null
  chain_abstain: Digits | null
  chain_no: Digits | null
  chain_no_with_veto: Digits | null
  live_yes_atto: Digits | null
  live_abstain_atto: Digits | null
  live_no_atto: Digits | null
  live_no_with_veto_atto: Digits | null
  final: boolean
  matches_chain: MatchesChain
  matches_chain_reason: string | null
  bonded_tokens: Digits | null
  quorum: string | null
  threshold: string | null
  veto_threshold: string | null
  pools_voted: number | null
  ballots: number | null
  pool_rows: number
  /** The tally rule; empty if it is not known, and in a row of an earlier version. */
  rule: TallyRule | ''
  /** The last height at which the node counted the same during the vote. */
  rule_proved_height: Digits | null
  /** The sums are those that the node reported during the vote. */
  reported: boolean
  version: Digits
}

export type WatermarkRow = {
  proposal_id: Digits
  position: Digits
  time: Timestamp
  final: boolean
  /** A later state may still fill in what is null of a final proposal. */
  awaits: boolean
}

export type DeadLetterRow = {
  offset: Digits
  /** The position of a row without a record, which has no offset; else `'0'`. */
  row_position: Digits
  height: Digits
  proposal_id: Digits
  reason: string
  value: string
  version: Digits
}

/** The rows of one commit, by table. Watermarks and checkpoint follow them; `ProofRows` are separate. */
export type ReadModelRows = {
  events: EventRow[]
  proposals: ProposalRow[]
  message_bytes: MessageBytesRow[]
  ballots: BallotRow[]
  pools: PoolRow[]
  pool_states: PoolStateRow[]
  voter_stakes: VoterStakeRow[]
  pool_votes: PoolVoteRow[]
  missed_votes: MissedVoteRow[]
  tallies: TallyRow[]
  dead_letters: DeadLetterRow[]
}
