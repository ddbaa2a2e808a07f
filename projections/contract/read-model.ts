// The read model's names and row shapes, as projections/migrations has them: types and constants, no logic.
// A row reads as it is written: integers of 64 bits and more and decimals are strings, NULL is null.

/** Holds what spans generations: which one is active. */
export const CONTROL_DATABASE = 'rollcall'

/** The database that holds one generation's tables. */
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
  /** Filled by the store from `ballots`. */
  ballotsByVoter: 'ballots_by_voter',
  pools: 'pools',
  poolStates: 'pool_states',
  voterStakes: 'voter_stakes',
  poolVotes: 'pool_votes',
  /** Filled by the store from `pool_votes`. */
  votesByPool: 'votes_by_pool',
  missedVotes: 'missed_votes',
  tallies: 'tallies',
  watermarks: 'watermarks',
  checkpoints: 'checkpoints',
  deadLetters: 'dead_letters',
  claims: 'claims',
  revocations: 'revocations',
} as const

/** Name of the one runner of governance, the key of its row in `checkpoints`. */
export const RUNNER = 'governance'
/** The same for what follows the log of agents. */
export const AGENT_RUNNER = 'agents'

/** UInt64, UInt256, Int256 or Decimal(76, 18) in decimal digits. */
export type Digits = string
/** UTC as ClickHouse prints it: `2026-11-21 08:00:00.000000000`, without a zone. */
export type Timestamp = string

/**
 * `building`: filled beside the active one. `retired`: was active, and answers cursors for a while. `failed`: could
 * not be built. `dropped`: its tables are gone; its number is never used again.
 */
export type GenerationState = 'building' | 'active' | 'retired' | 'failed' | 'dropped'
export type GenerationRow = {
  generation: number
  state: GenerationState
  changed_at: Timestamp
  /** Why it failed; empty in any other state. */
  reason: string
  version: Digits
}

/** For so long after a switch, a cursor of the generation before is answered from that generation. */
export const GENERATION_LINGERS_MS = 15 * 60_000

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
  /** As the tally counted it, or as it was when the vote was canceled; null before, and where no evidence of it is. */
  voting_power_atto: Digits | null
}

export type ProposalRow = {
  proposal_id: Digits
  title: string
  summary: string
  metadata: string
  proposer: string | null
  message_types: readonly string[]
  messages: string
  /** JSON of a `ProposalContext`; empty in a row of an earlier version. */
  context: string
  /** JSON of `ParameterChanges`; empty in a row of an earlier version. */
  changes: string
  status: string
  expedited: boolean
  round: number
  /** Why `round` is only the lowest that it can be; null where it is known. */
  round_reason: string | null
  failed_reason: string | null
  submit_time: Timestamp | null
  deposit_end_time: Timestamp | null
  voting_start_time: Timestamp | null
  voting_end_time: Timestamp | null
  closed_time: Timestamp | null
  closed_height: Digits | null
  total_deposit: readonly CoinTuple[]
  /** By the parameters in force now, or when its deposit period ended; empty where not known. */
  min_deposit: readonly CoinTuple[]
  /** The same for an expedited vote; empty where the chain has none. */
  expedited_min_deposit: readonly CoinTuple[]
  /** Why `min_deposit` is not known; null where it is. */
  min_deposit_reason: string | null
  submitted_height: Digits | null
  submitted_tx_hash: string | null
  history: 'complete' | 'partial'
  history_reason: string | null
  version: Digits
}

/** One chunk of a field of a message that is too long for `messages`. */
export type MessageBytesRow = {
  proposal_id: Digits
  /** Index of the message in the proposal. */
  message: number
  /** JSON pointer of the field in the message. */
  path: string
  chunk: number
  chunks: number
  /** Of all chunks together. */
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
   * Sum over the delegations, as the tally counted it, or, of a canceled vote, as it was at the end; null before,
   * and where no evidence of it is.
   */
  voting_power_atto: Digits | null
  delegations_known: boolean
  delegations: readonly DelegationTuple[]
  version: Digits
}

/** What a voter had delegated from `position` on, until the next row. */
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
}

export type PoolVoteRow = {
  proposal_id: Digits
  round: number
  rank: number
  operator_address: string
  moniker: string
  status: string
  jailed: boolean
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

/** A pool that was in the tally of a round and cast no vote of its own. */
export type MissedVoteRow = {
  operator_address: string
  proposal_id: Digits
  round: number
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
  version: Digits
}

export type WatermarkRow = {
  proposal_id: Digits
  position: Digits
  time: Timestamp
  final: boolean
}

export type CheckpointRow = {
  projection: string
  next_offset: Digits
  refold_offset: Digits
  chain_id: string
  height: Digits
  time: Timestamp
  tip: Digits
  log_end: Digits
  lag_events: Digits
  oldest_waiting_since: Timestamp | null
  written_at: Timestamp
}

export type DeadLetterRow = {
  offset: Digits
  height: Digits
  proposal_id: Digits
  reason: string
  value: string
  version: Digits
}

/** The rows of one commit, by table, without watermarks and checkpoint, which come after them, and without `ProofRows`. */
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
