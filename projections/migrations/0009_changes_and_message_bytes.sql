-- What a proposal changes, and the bytes of the long fields of its messages. Rows from before stay empty until a rebuild.
ALTER TABLE {database}.proposals{on_cluster}
    ADD COLUMN IF NOT EXISTS context String DEFAULT ''
    COMMENT 'JSON: what the chain''s state said about the things that the messages touch; empty where an earlier version wrote the row'
    CODEC(ZSTD(3)),
    ADD COLUMN IF NOT EXISTS changes String DEFAULT ''
    COMMENT 'JSON: the parameters that the messages change, or why they are not known; empty where an earlier version wrote the row'
    CODEC(ZSTD(3));

CREATE TABLE IF NOT EXISTS {database}.message_bytes{on_cluster}
(
    proposal_id UInt64 COMMENT 'The chain''s id',
    message UInt32 COMMENT 'Index of the message in the proposal, from 0',
    path String COMMENT 'JSON pointer of the field in the message',
    chunk UInt32 COMMENT 'Number of this chunk, from 0',
    chunks UInt32 COMMENT 'How many chunks the field has',
    sha256 String COMMENT 'SHA-256 of all bytes of the field, in hex',
    size UInt64 COMMENT 'Bytes of the whole field',
    bytes String COMMENT 'This chunk of the bytes, in base64' CODEC(ZSTD(3)),
    version UInt64 COMMENT 'Position of the event this row follows'
)
ENGINE = {engine}(version)
ORDER BY (proposal_id, message, path, chunk)
SETTINGS index_granularity = 1
COMMENT 'Fields of messages that are too long for the messages column, in chunks'
