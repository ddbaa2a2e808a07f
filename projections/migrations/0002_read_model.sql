-- The tables of one generation. Every row's version is the position of the event it follows
-- (height · 2^32 + index); the latest version wins, so delivery may repeat and rows may not.
-- Columns named *_atto count 1e-18 of the chain's base unit; NULL means: Rollcall cannot know.

CREATE TABLE IF NOT EXISTS {database}.events{on_cluster}
(
    position UInt64 COMMENT 'height · 2^32 + index: order on the chain',
    proposal_id UInt64 COMMENT 'The proposal the event is about; 0 for chain-wide facts',
    type LowCardinality(String) COMMENT 'rollcall.<name>.v1',
    id String COMMENT 'CloudEvents id: chainId/height/index',
    height UInt64 COMMENT 'Block height',
    time DateTime64(9, 'UTC') COMMENT 'Block time',
    depositor_key String COMMENT 'Key of the bytes of a deposit''s account: equal for every text of its address; empty for other events, and if it is unknown',
    event String COMMENT 'The whole CloudEvent as JSON' CODEC(ZSTD(3))
)
ENGINE = {engine}
ORDER BY (proposal_id, position)
SETTINGS index_granularity = 256
COMMENT 'Every event of the log';

CREATE TABLE IF NOT EXISTS {database}.proposals{on_cluster}
(
    proposal_id UInt64 COMMENT 'The chain''s id',
    title String COMMENT 'As sent',
    summary String COMMENT 'As sent',
    metadata String COMMENT 'As sent, empty included',
    proposer Nullable(String) COMMENT 'Account address; NULL where the chain did not store it',
    proposer_key Nullable(String) COMMENT 'Key of the proposer''s bytes: equal for every text of its address; NULL likewise',
    message_types Array(String) COMMENT 'Type URLs of the messages, in order',
    messages String COMMENT 'JSON array of the messages' CODEC(ZSTD(3)),
    status LowCardinality(String) COMMENT 'deposit_period, voting_period, passed, rejected, failed, canceled, dropped',
    expedited Bool COMMENT 'The chain''s own flag: false after a restart',
    round UInt16 COMMENT '0 before any vote, 1 while the first, 2 after an expedited vote fell back',
    failed_reason Nullable(String) COMMENT 'The chain''s reason for failed and rejected',
    submit_time Nullable(DateTime64(9, 'UTC')),
    deposit_end_time Nullable(DateTime64(9, 'UTC')),
    voting_start_time Nullable(DateTime64(9, 'UTC')),
    voting_end_time Nullable(DateTime64(9, 'UTC')),
    closed_time Nullable(DateTime64(9, 'UTC')) COMMENT 'Time of the block that closed it',
    closed_height Nullable(UInt64) COMMENT 'Height of the block that closed it',
    total_deposit Array(Tuple(denom String, amount String)) COMMENT 'Base units',
    submitted_height Nullable(UInt64) COMMENT 'NULL where it was submitted before the first indexed height',
    submitted_tx_hash Nullable(String) COMMENT 'NULL where no transaction did it, or it is not known',
    history LowCardinality(String) COMMENT 'complete or partial',
    history_reason Nullable(String) COMMENT 'Why partial',
    version UInt64 COMMENT 'Position of the event this row follows',
    INDEX proposer_key proposer_key TYPE bloom_filter
)
ENGINE = {engine}(version)
ORDER BY proposal_id
SETTINGS index_granularity = 256
COMMENT 'One row per proposal';

CREATE TABLE IF NOT EXISTS {database}.ballots{on_cluster}
(
    proposal_id UInt64,
    round UInt16,
    rank UInt32 COMMENT 'Order of the voter''s first ballot in this round',
    voter String COMMENT 'Account address',
    voter_key String COMMENT 'Key of the voter''s bytes: equal for every text of its address',
    options Array(Tuple(option String, weight String)) COMMENT 'Weights to 18 decimals',
    counted Bool COMMENT 'False for a vote after its own tally in an end block',
    in_state Bool DEFAULT true COMMENT 'False for a vote that only an event has, and not the state of the chain: it is neither listed nor counted',
    height Nullable(UInt64) COMMENT 'NULL where cast before the first indexed height',
    time Nullable(DateTime64(9, 'UTC')),
    tx_hash Nullable(String),
    voting_power_atto Nullable(Int256) COMMENT 'Sum over the delegations, as the tally counted it; NULL before the tally',
    delegations_known Bool COMMENT 'False where the node could not answer: delegations are then empty',
    delegations Array(Tuple(operator_address String, shares String, voting_power_atto Nullable(Int256))) COMMENT 'The voter''s delegations, as of the tally or now; their power as the tally counted it, NULL before the tally',
    version UInt64,
    INDEX in_state in_state TYPE minmax GRANULARITY 1
)
ENGINE = {engine}(version)
ORDER BY (proposal_id, round, rank)
SETTINGS index_granularity = 256
COMMENT 'Latest ballot of each voter on each proposal, per round';

CREATE TABLE IF NOT EXISTS {database}.ballots_by_voter{on_cluster} AS {database}.ballots
ENGINE = {engine}(version)
ORDER BY (voter_key, proposal_id, round, rank)
SETTINGS index_granularity = 256
COMMENT 'The facts of ballots, ordered for one voter''s record';

CREATE MATERIALIZED VIEW IF NOT EXISTS {database}.ballots_to_voters{on_cluster} TO {database}.ballots_by_voter
AS SELECT * FROM {database}.ballots;

CREATE TABLE IF NOT EXISTS {database}.voter_stakes{on_cluster}
(
    voter String COMMENT 'Account address',
    position UInt64 COMMENT 'From which on this is so, until the voter''s next row',
    height UInt64,
    time DateTime64(9, 'UTC'),
    delegations_known Bool COMMENT 'False where the node could not answer: delegations are then empty',
    delegations Array(Tuple(operator_address String, shares String))
)
ENGINE = {engine}
ORDER BY (voter, position)
COMMENT 'History of what each voter had delegated, from its first ballot on';

CREATE TABLE IF NOT EXISTS {database}.pools{on_cluster}
(
    operator_address String,
    account_address String,
    account_key String COMMENT 'Key of the pool''s bytes: equal for every text of its addresses',
    moniker String,
    tokens UInt256 COMMENT 'Base units',
    delegator_shares Decimal(76, 18),
    status LowCardinality(String) COMMENT 'bonded, unbonding, unbonded',
    jailed Bool,
    version UInt64
)
ENGINE = {engine}(version)
ORDER BY operator_address
SETTINGS index_granularity = 256
COMMENT 'Current state of each pool';

CREATE TABLE IF NOT EXISTS {database}.pool_states{on_cluster}
(
    operator_address String,
    position UInt64,
    height UInt64,
    time DateTime64(9, 'UTC'),
    moniker String,
    tokens UInt256,
    delegator_shares Decimal(76, 18),
    status LowCardinality(String),
    jailed Bool
)
ENGINE = {engine}
ORDER BY (operator_address, position)
COMMENT 'History of each pool''s state';

CREATE TABLE IF NOT EXISTS {database}.pool_votes{on_cluster}
(
    proposal_id UInt64,
    round UInt16,
    rank UInt32 COMMENT 'Order of the pool''s first appearance in the vote',
    operator_address String,
    moniker String,
    status LowCardinality(String),
    jailed Bool,
    voted Bool COMMENT 'True where the operator itself voted',
    options Array(Tuple(option String, weight String)) COMMENT 'Empty where it did not',
    vote_height Nullable(UInt64),
    vote_time Nullable(DateTime64(9, 'UTC')),
    vote_tx_hash Nullable(String),
    voting_power_atto Nullable(Int256) COMMENT 'What the pool''s own vote carries, or would carry, after deductions',
    bonded_tokens Nullable(UInt256) COMMENT 'The pool''s tokens',
    delegator_ballots UInt32 COMMENT 'Delegators of this pool with their own ballot',
    delegator_power_atto Nullable(Int256),
    delegator_yes_atto Nullable(Int256),
    delegator_abstain_atto Nullable(Int256),
    delegator_no_atto Nullable(Int256),
    delegator_no_with_veto_atto Nullable(Int256),
    yes_atto Nullable(Int256) COMMENT 'The pool''s whole part: its own vote and its delegators''',
    abstain_atto Nullable(Int256),
    no_atto Nullable(Int256),
    no_with_veto_atto Nullable(Int256),
    version UInt64
)
ENGINE = {engine}(version)
ORDER BY (proposal_id, round, rank)
SETTINGS index_granularity = 256
COMMENT 'One row per pool that voted or whose delegators did, in page order';

CREATE TABLE IF NOT EXISTS {database}.votes_by_pool{on_cluster} AS {database}.pool_votes
ENGINE = {engine}(version)
ORDER BY (operator_address, proposal_id, round)
SETTINGS index_granularity = 256
COMMENT 'The facts of pool_votes, ordered for one pool''s record';

CREATE MATERIALIZED VIEW IF NOT EXISTS {database}.pool_votes_to_pools{on_cluster} TO {database}.votes_by_pool
AS SELECT * FROM {database}.pool_votes;

CREATE TABLE IF NOT EXISTS {database}.missed_votes{on_cluster}
(
    operator_address String,
    proposal_id UInt64,
    round UInt16,
    version UInt64
)
ENGINE = {engine}(version)
ORDER BY (operator_address, proposal_id, round)
COMMENT 'Pools that were in the tally of a round and cast no vote of their own';

CREATE TABLE IF NOT EXISTS {database}.tallies{on_cluster}
(
    proposal_id UInt64,
    round UInt16,
    yes Nullable(UInt256) COMMENT 'Served numbers, whole base units: the chain''s where it has tallied, else live',
    abstain Nullable(UInt256),
    no Nullable(UInt256),
    no_with_veto Nullable(UInt256),
    chain_yes Nullable(UInt256) COMMENT 'The chain''s final tally; NULL before the tally',
    chain_abstain Nullable(UInt256),
    chain_no Nullable(UInt256),
    chain_no_with_veto Nullable(UInt256),
    live_yes_atto Nullable(Int256) COMMENT 'Sum over pool_votes',
    live_abstain_atto Nullable(Int256),
    live_no_atto Nullable(Int256),
    live_no_with_veto_atto Nullable(Int256),
    voting_power_atto Nullable(Int256) COMMENT 'Power of all votes, the numerator of the quorum; NULL if unknown. More or less than the sum of the options if weights do not add up to 1',
    final Bool COMMENT 'True once the numbers can no longer change',
    matches_chain LowCardinality(String) COMMENT 'yes, no, unknown',
    matches_chain_reason Nullable(String) COMMENT 'NULL when yes',
    bonded_tokens Nullable(UInt256) COMMENT 'Denominator of the quorum, as of the tally or now',
    quorum Nullable(String),
    threshold Nullable(String) COMMENT 'The threshold that applies in this round',
    veto_threshold Nullable(String),
    pools_voted Nullable(UInt32) COMMENT 'Pools whose own vote is cast',
    ballots Nullable(UInt32),
    pool_rows UInt32 COMMENT 'Rows of this round in pool_votes',
    stake_height Nullable(UInt64) COMMENT 'Height of the state with the stake of an open vote, as read last; NULL if the tally is final, and before the first reading',
    version UInt64
)
ENGINE = {engine}(version)
ORDER BY (proposal_id, round)
SETTINGS index_granularity = 256
COMMENT 'One row per voting round of a proposal';

CREATE TABLE IF NOT EXISTS {database}.watermarks{on_cluster}
(
    proposal_id UInt64,
    position UInt64 COMMENT 'Of the latest event that any fact shown of this proposal follows',
    time DateTime64(9, 'UTC') COMMENT 'Block time of that event',
    final Bool COMMENT 'True once no fact of this proposal can change'
)
ENGINE = {engine}(position)
ORDER BY proposal_id
SETTINGS index_granularity = 256
COMMENT 'What may be served of each proposal';

CREATE TABLE IF NOT EXISTS {database}.checkpoints{on_cluster}
(
    `projection` LowCardinality(String) COMMENT 'Name of the runner',
    next_offset UInt64 COMMENT 'First log offset not yet projected: the version',
    refold_offset UInt64 COMMENT 'Where the state of open proposals must be folded from at start',
    chain_id String,
    height UInt64 COMMENT 'Height projected',
    time DateTime64(9, 'UTC') COMMENT 'Block time of that height',
    tip UInt64 COMMENT 'The node''s latest height, as last told',
    log_end UInt64 COMMENT 'End of the log when this was written',
    lag_events UInt64 COMMENT 'Events known and not yet projected',
    oldest_waiting_since Nullable(DateTime64(3, 'UTC')) COMMENT 'Wall clock since which the oldest unprojected height waits',
    written_at DateTime64(3, 'UTC') COMMENT 'Wall-clock heartbeat'
)
ENGINE = {engine}(next_offset)
ORDER BY `projection`
COMMENT 'Durable position of the projections';

CREATE TABLE IF NOT EXISTS {database}.dead_letters{on_cluster}
(
    offset UInt64 COMMENT 'Offset in the log',
    height UInt64,
    proposal_id UInt64 COMMENT '0 where not known',
    reason String,
    value String COMMENT 'The record as it came' CODEC(ZSTD(3)),
    version UInt64
)
ENGINE = {engine}(version)
ORDER BY offset
COMMENT 'Records that a projection could not read';
