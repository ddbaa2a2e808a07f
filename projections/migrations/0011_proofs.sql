-- What proves the state of proposals: stored bytes with their proof, signed headers and the validators who signed them.
-- Generations from before are empty here until a rebuild.
CREATE TABLE IF NOT EXISTS {database}.proposal_proofs{on_cluster}
(
    proposal_id UInt64 COMMENT 'The chain''s id',
    round UInt16 COMMENT 'Round of voting that ended at state_height; 0 for the submission',
    state_height UInt64 COMMENT 'Height whose committed state is proved; the header of the next height has the app hash',
    chunk UInt32 COMMENT 'Number of this chunk of the value, from 0',
    chunks UInt32 COMMENT 'How many chunks the value has',
    store LowCardinality(String) COMMENT 'Store of the module that has the value',
    key String COMMENT 'Key in the store, in hex',
    value Nullable(String) COMMENT 'This chunk of the stored bytes, in base64; NULL where no endpoint gave a valid proof' CODEC(ZSTD(3)),
    proof_ops Nullable(String) COMMENT 'JSON: the steps from the value to the app hash; NULL where value is' CODEC(ZSTD(3)),
    reason Nullable(String) COMMENT 'Why value is NULL; NULL where it is not',
    time DateTime64(9, 'UTC') COMMENT 'Block time of the event',
    version UInt64 COMMENT 'Position of the event this row follows'
)
ENGINE = {engine}(version)
ORDER BY (proposal_id, round, state_height, chunk)
SETTINGS index_granularity = 1
COMMENT 'Proposals as the store of the chain has them at their submission and at the end of each round, with Merkle proofs';

CREATE TABLE IF NOT EXISTS {database}.light_blocks{on_cluster}
(
    height UInt64 COMMENT 'Height of the header',
    hash String COMMENT 'Hash of the header, in hex',
    header_time Nullable(DateTime64(9, 'UTC')) COMMENT 'Time of the header; NULL where there is no header, or no such time',
    header Nullable(String) COMMENT 'JSON of the header, as the RPC of a node has it; NULL where no endpoint gave a valid one' CODEC(ZSTD(3)),
    commit Nullable(String) COMMENT 'JSON of the commit that signs the header; NULL where header is' CODEC(ZSTD(3)),
    validators_hash Nullable(String) COMMENT 'Hash of the validator set that signed; NULL where header is',
    reason Nullable(String) COMMENT 'Why header is NULL; NULL where it is not',
    time DateTime64(9, 'UTC') COMMENT 'Block time of the event',
    version UInt64 COMMENT 'Position of the event this row follows'
)
ENGINE = {engine}(version)
ORDER BY height
SETTINGS index_granularity = 1
COMMENT 'Headers with the commits that sign them: the ones that proofs end in, and others for skipping verification';

CREATE TABLE IF NOT EXISTS {database}.validator_sets{on_cluster}
(
    hash String COMMENT 'Hash of the set, as headers have it in validators_hash, in hex',
    validators String COMMENT 'JSON: all validators with their keys and powers, in the order of the set' CODEC(ZSTD(3)),
    version UInt64 COMMENT 'Position of the latest event that has the set'
)
ENGINE = {engine}(version)
ORDER BY hash
SETTINGS index_granularity = 1
COMMENT 'Validator sets that signed light blocks'
