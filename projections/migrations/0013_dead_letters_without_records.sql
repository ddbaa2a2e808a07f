-- A row that cannot be stored may have no record in the log. Such dead letters have no offset, so their key needs the position.
ALTER TABLE {database}.dead_letters{on_cluster}
    ADD COLUMN IF NOT EXISTS row_position UInt64
    COMMENT 'Position of a row without a record, and then offset is 0; else 0' AFTER offset,
    MODIFY ORDER BY (offset, row_position);
