-- Votes that ended before the first indexed height.
ALTER TABLE {database}.checkpoints{on_cluster}
    ADD COLUMN IF NOT EXISTS history String DEFAULT ''
    COMMENT 'JSON of how far these are recomputed: total, done, unreachable, reason, at. Empty if there are none';
ALTER TABLE {database}.proposals{on_cluster}
    COMMENT COLUMN history 'complete; partial if some of its facts are missing; reconstructed if it was recomputed from past states of the chain',
    COMMENT COLUMN history_reason 'What is missing or not known; NULL if complete'
