-- Closed proposals with facts that no endpoint could return in time, and that a later state may have.
ALTER TABLE {database}.watermarks{on_cluster}
    ADD COLUMN IF NOT EXISTS awaits Bool DEFAULT false
    COMMENT 'True if a later state may still fill in what is null of a final proposal'
