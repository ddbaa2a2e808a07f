-- The number of messages beside the types of the first 20, and the other types for the filter. Rows from before have all types.
ALTER TABLE {database}.proposals{on_cluster}
    ADD COLUMN IF NOT EXISTS message_count UInt32 DEFAULT length(message_types)
    COMMENT 'The number of messages',
    ADD COLUMN IF NOT EXISTS further_message_types Array(String)
    COMMENT 'The types of the messages that message_types lacks, each once';

ALTER TABLE {database}.proposals{on_cluster}
    COMMENT COLUMN message_types 'Type URLs of the first 20 messages, in order; of all messages in a row that an earlier version wrote'
