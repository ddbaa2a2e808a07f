-- What agents did, from the log rollcall.agents: who claimed which registration, and which tokens were ended early.
-- For operators alone. No analyst's view reads these tables: a claim ties a person's wallet to the reads of a machine, which
-- nobody has made public by signing it, and what a token's number was is nobody's business. No secret is in them: tokens and
-- their hashes stay in the log.

CREATE TABLE IF NOT EXISTS {database}.claims{on_cluster}
(
    registration_id String COMMENT 'The agent''s registration: reg_…',
    attempt_id String COMMENT 'Its claim, or its latest attempt: cla_…',
    state LowCardinality(String) COMMENT 'started, denied, completed; the first completed one of a registration is for ever',
    client_name Nullable(String) COMMENT 'What the agent calls itself',
    chain_id Nullable(String) COMMENT 'Chain of the wallet; NULL until completed',
    address Nullable(String) COMMENT 'Account address of the wallet; NULL until completed',
    public_key Nullable(String) COMMENT 'Compressed, base64; NULL until completed',
    algorithm LowCardinality(Nullable(String)) COMMENT 'secp256k1 or eth-secp256k1; NULL until completed',
    registered_at DateTime64(3, 'UTC') COMMENT 'When the agent registered',
    started_at DateTime64(3, 'UTC') COMMENT 'When this attempt began',
    expires DateTime64(3, 'UTC') COMMENT 'When this attempt ends, or ended',
    decided_at Nullable(DateTime64(3, 'UTC')) COMMENT 'When it was completed or denied; NULL before',
    event_id String COMMENT 'CloudEvents id of the event this row follows',
    version UInt64 COMMENT 'Offset in the log of the event this row follows'
)
ENGINE = {engine}(version)
ORDER BY registration_id
SETTINGS index_granularity = 256
COMMENT 'One row per registration that a human was asked to claim';

CREATE TABLE IF NOT EXISTS {database}.revocations{on_cluster}
(
    token_id String COMMENT 'Number of the token (jti)',
    kind LowCardinality(String) COMMENT 'access_token, or identity_assertion: with it ends the registration and all its tokens',
    subject String COMMENT 'What the token spoke for: a registration, or a client without one',
    revoked_at DateTime64(3, 'UTC'),
    expires DateTime64(3, 'UTC') COMMENT 'When the token would have ended by itself',
    event_id String COMMENT 'CloudEvents id of the event this row follows',
    version UInt64 COMMENT 'Offset in the log of the event this row follows'
)
ENGINE = {engine}(version)
ORDER BY (token_id, version)
SETTINGS index_granularity = 256
COMMENT 'One row per revocation; a token that is revoked twice has two';
