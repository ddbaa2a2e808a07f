-- Where title and summary come from, with authors and forum link. Rows from before have only what the proposal itself has.
ALTER TABLE {database}.proposals{on_cluster}
    ADD COLUMN IF NOT EXISTS title_source LowCardinality(String) DEFAULT if(trimBoth(title) = '', '', 'proposal')
    COMMENT 'proposal, or metadata if the proposal has no title of its own; empty without a title',
    ADD COLUMN IF NOT EXISTS summary_source LowCardinality(String) DEFAULT if(trimBoth(summary) = '', '', 'proposal')
    COMMENT 'The same for the summary',
    ADD COLUMN IF NOT EXISTS authors Array(String)
    COMMENT 'From the metadata, not verified',
    ADD COLUMN IF NOT EXISTS forum_url Nullable(String)
    COMMENT 'From the metadata, not verified; NULL if there is none';

ALTER TABLE {database}.proposals{on_cluster}
    COMMENT COLUMN title 'Of the proposal, or of its metadata if the proposal has none',
    COMMENT COLUMN summary 'Of the proposal, or of its metadata if the proposal has none'
