-- A database from an earlier version stores each row of the page table a second time, as the JSON of an answer. Answers are made
-- by the API alone.
ALTER TABLE {database}.pool_votes{on_cluster}
    DROP COLUMN IF EXISTS record;
