-- A comment on every column, in the words of the declarations (projections/contract/tables).
ALTER TABLE {database}.events{on_cluster}
    COMMENT COLUMN proposal_id 'The proposal the event is about; 0 for facts of the whole chain';
ALTER TABLE {database}.proposals{on_cluster}
    COMMENT COLUMN metadata 'Unchanged; empty if the chain has none',
    COMMENT COLUMN proposer 'Account address; NULL if the chain did not store it',
    COMMENT COLUMN context 'JSON: the chain''s state of what the messages touch; empty in a row that an earlier version wrote',
    COMMENT COLUMN changes 'JSON: the parameters that the messages change, or why they are not known; empty in a row that an earlier version wrote',
    COMMENT COLUMN status 'deposit_period, voting_period, passed, rejected, failed, canceled, dropped, vetoed',
    COMMENT COLUMN expedited 'The chain''s own flag: false after an expedited vote failed',
    COMMENT COLUMN round '0 before any vote, 1 for the first, 2 after an expedited vote failed',
    COMMENT COLUMN round_reason 'Why round is only the lowest possible one; NULL if it is known',
    COMMENT COLUMN submit_time 'When it was submitted',
    COMMENT COLUMN deposit_end_time 'When the deposit period ends',
    COMMENT COLUMN voting_start_time 'When voting began; NULL if it never did',
    COMMENT COLUMN voting_end_time 'Scheduled end of voting',
    COMMENT COLUMN min_deposit 'Deposit that starts a vote: by the parameters in force now, or when its deposit period ended; empty if not known',
    COMMENT COLUMN expedited_min_deposit 'The same for an expedited vote; empty if the chain has none',
    COMMENT COLUMN min_deposit_reason 'Why min_deposit is not known; NULL if it is',
    COMMENT COLUMN submitted_height 'NULL if it was submitted before the first indexed height',
    COMMENT COLUMN submitted_tx_hash 'NULL if no transaction submitted it, or if it is not known';
ALTER TABLE {database}.proposal_proofs{on_cluster}
    COMMENT COLUMN value 'This chunk of the stored bytes, in base64; NULL if no endpoint gave a valid proof',
    COMMENT COLUMN proof_ops 'JSON: the steps from the value to the app hash; NULL if value is NULL',
    COMMENT COLUMN reason 'Why value is NULL; NULL if it is not';
ALTER TABLE {database}.light_blocks{on_cluster}
    COMMENT COLUMN header_time 'Time of the header; NULL if there is no header, or if it has no such time',
    COMMENT COLUMN header 'JSON of the header, as the RPC of a node has it; NULL if no endpoint gave a valid one',
    COMMENT COLUMN commit 'JSON of the commit that signs the header; NULL if header is NULL',
    COMMENT COLUMN validators_hash 'Hash of the validator set that signed; NULL if header is NULL',
    COMMENT COLUMN reason 'Why header is NULL; NULL if it is not';
ALTER TABLE {database}.ballots{on_cluster}
    COMMENT COLUMN proposal_id 'The proposal',
    COMMENT COLUMN round 'Voting round',
    COMMENT COLUMN counted 'False for a vote after its own tally in the same end block',
    COMMENT COLUMN height 'NULL if cast before the first indexed height',
    COMMENT COLUMN time 'Block time of the vote; NULL if not known',
    COMMENT COLUMN tx_hash 'Transaction of the vote; NULL if there is none or it is not known',
    COMMENT COLUMN delegations_known 'False if the node did not report the delegations, which are then empty',
    COMMENT COLUMN version 'Position of the event this row follows';
ALTER TABLE {database}.ballots_by_voter{on_cluster}
    COMMENT COLUMN proposal_id 'The proposal',
    COMMENT COLUMN round 'Voting round',
    COMMENT COLUMN counted 'False for a vote after its own tally in the same end block',
    COMMENT COLUMN height 'NULL if cast before the first indexed height',
    COMMENT COLUMN time 'Block time of the vote; NULL if not known',
    COMMENT COLUMN tx_hash 'Transaction of the vote; NULL if there is none or it is not known',
    COMMENT COLUMN delegations_known 'False if the node did not report the delegations, which are then empty',
    COMMENT COLUMN version 'Position of the event this row follows';
ALTER TABLE {database}.pools{on_cluster}
    COMMENT COLUMN operator_address 'Operator address of the validator',
    COMMENT COLUMN account_address 'Account address of the operator',
    COMMENT COLUMN moniker 'Name of the pool',
    COMMENT COLUMN delegator_shares 'All shares of the pool',
    COMMENT COLUMN jailed 'True if the chain has jailed the validator',
    COMMENT COLUMN version 'Position of the event this row follows';
ALTER TABLE {database}.pool_states{on_cluster}
    COMMENT COLUMN operator_address 'Operator address of the validator',
    COMMENT COLUMN position 'Position of the event with this state, until the pool''s next row',
    COMMENT COLUMN height 'Block height',
    COMMENT COLUMN time 'Block time',
    COMMENT COLUMN moniker 'Name of the pool',
    COMMENT COLUMN tokens 'Base units',
    COMMENT COLUMN delegator_shares 'All shares of the pool',
    COMMENT COLUMN status 'bonded, unbonding, unbonded',
    COMMENT COLUMN jailed 'True if the chain had jailed the validator';
ALTER TABLE {database}.voter_stakes{on_cluster}
    COMMENT COLUMN position 'Position of the first event with these delegations, until the voter''s next row',
    COMMENT COLUMN height 'Block height',
    COMMENT COLUMN time 'Block time',
    COMMENT COLUMN delegations_known 'False if the node did not report the delegations, which are then empty',
    COMMENT COLUMN delegations 'Pools with the shares that the voter has delegated to them';
ALTER TABLE {database}.pool_votes{on_cluster}
    COMMENT COLUMN proposal_id 'The proposal',
    COMMENT COLUMN round 'Voting round',
    COMMENT COLUMN operator_address 'Operator address of the validator',
    COMMENT COLUMN moniker 'Name of the pool, as of the tally or now',
    COMMENT COLUMN status 'bonded, unbonding, unbonded: as of the tally or now',
    COMMENT COLUMN jailed 'As of the tally or now',
    COMMENT COLUMN voted 'True if the operator itself voted',
    COMMENT COLUMN options 'Empty if the operator did not vote',
    COMMENT COLUMN vote_height 'Height of the pool''s own vote; NULL if there is none or it is not known',
    COMMENT COLUMN vote_time 'Block time of that vote; NULL if there is none or it is not known',
    COMMENT COLUMN vote_tx_hash 'Transaction of that vote; NULL if there is none or it is not known',
    COMMENT COLUMN voting_power_atto 'Power of the pool''s own vote, or that it would have, after deductions',
    COMMENT COLUMN delegator_power_atto 'Power of these delegators in this pool',
    COMMENT COLUMN delegator_yes_atto 'Of it, for yes',
    COMMENT COLUMN delegator_abstain_atto 'Of it, for abstain',
    COMMENT COLUMN delegator_no_atto 'Of it, for no',
    COMMENT COLUMN delegator_no_with_veto_atto 'Of it, for no with veto',
    COMMENT COLUMN yes_atto 'The pool''s whole part for yes: its own vote and its delegators''',
    COMMENT COLUMN abstain_atto 'The same for abstain',
    COMMENT COLUMN no_atto 'The same for no',
    COMMENT COLUMN no_with_veto_atto 'The same for no with veto',
    COMMENT COLUMN version 'Position of the event this row follows';
ALTER TABLE {database}.votes_by_pool{on_cluster}
    COMMENT COLUMN proposal_id 'The proposal',
    COMMENT COLUMN round 'Voting round',
    COMMENT COLUMN operator_address 'Operator address of the validator',
    COMMENT COLUMN moniker 'Name of the pool, as of the tally or now',
    COMMENT COLUMN status 'bonded, unbonding, unbonded: as of the tally or now',
    COMMENT COLUMN jailed 'As of the tally or now',
    COMMENT COLUMN voted 'True if the operator itself voted',
    COMMENT COLUMN options 'Empty if the operator did not vote',
    COMMENT COLUMN vote_height 'Height of the pool''s own vote; NULL if there is none or it is not known',
    COMMENT COLUMN vote_time 'Block time of that vote; NULL if there is none or it is not known',
    COMMENT COLUMN vote_tx_hash 'Transaction of that vote; NULL if there is none or it is not known',
    COMMENT COLUMN voting_power_atto 'Power of the pool''s own vote, or that it would have, after deductions',
    COMMENT COLUMN delegator_power_atto 'Power of these delegators in this pool',
    COMMENT COLUMN delegator_yes_atto 'Of it, for yes',
    COMMENT COLUMN delegator_abstain_atto 'Of it, for abstain',
    COMMENT COLUMN delegator_no_atto 'Of it, for no',
    COMMENT COLUMN delegator_no_with_veto_atto 'Of it, for no with veto',
    COMMENT COLUMN yes_atto 'The pool''s whole part for yes: its own vote and its delegators''',
    COMMENT COLUMN abstain_atto 'The same for abstain',
    COMMENT COLUMN no_atto 'The same for no',
    COMMENT COLUMN no_with_veto_atto 'The same for no with veto',
    COMMENT COLUMN version 'Position of the event this row follows';
ALTER TABLE {database}.missed_votes{on_cluster}
    COMMENT COLUMN operator_address 'Operator address of the validator',
    COMMENT COLUMN proposal_id 'The proposal',
    COMMENT COLUMN round 'Voting round',
    COMMENT COLUMN version 'Position of the event this row follows';
ALTER TABLE {database}.tallies{on_cluster}
    COMMENT COLUMN proposal_id 'The proposal',
    COMMENT COLUMN round 'Voting round',
    COMMENT COLUMN yes 'Served number, whole base units: the chain''s once it has tallied, else live',
    COMMENT COLUMN abstain 'The same for abstain',
    COMMENT COLUMN no 'The same for no',
    COMMENT COLUMN no_with_veto 'The same for no with veto',
    COMMENT COLUMN chain_abstain 'The same for abstain',
    COMMENT COLUMN chain_no 'The same for no',
    COMMENT COLUMN chain_no_with_veto 'The same for no with veto',
    COMMENT COLUMN live_abstain_atto 'The same for abstain',
    COMMENT COLUMN live_no_atto 'The same for no',
    COMMENT COLUMN live_no_with_veto_atto 'The same for no with veto',
    COMMENT COLUMN matches_chain_reason 'NULL if yes',
    COMMENT COLUMN quorum 'Minimum turnout for a valid vote',
    COMMENT COLUMN veto_threshold 'Share of no with veto above which the proposal is rejected',
    COMMENT COLUMN pools_voted 'Pools whose operator voted',
    COMMENT COLUMN ballots 'Voters with a ballot',
    COMMENT COLUMN version 'Position of the event this row follows';
ALTER TABLE {database}.dead_letters{on_cluster}
    COMMENT COLUMN height 'Block height',
    COMMENT COLUMN proposal_id '0 if not known',
    COMMENT COLUMN reason 'Why it is a dead letter',
    COMMENT COLUMN value 'The unchanged record',
    COMMENT COLUMN version 'Position of the event; 0 if not known';
ALTER TABLE {database}.watermarks{on_cluster}
    COMMENT COLUMN proposal_id 'The proposal',
    COMMENT COLUMN position 'Of the latest event that any fact of this proposal follows';
ALTER TABLE {database}.checkpoints{on_cluster}
    COMMENT COLUMN next_offset 'First log offset that is not projected: the version',
    COMMENT COLUMN chain_id 'The chain',
    COMMENT COLUMN tip 'The node''s latest height, as last reported',
    COMMENT COLUMN history 'JSON of how far earlier votes are recomputed: total, done, unreachable, reason, at. Empty if there are none';
ALTER TABLE {database}.claims{on_cluster}
    COMMENT COLUMN state 'started, denied, completed; the first completed one of a registration is permanent';
ALTER TABLE {database}.revocations{on_cluster}
    COMMENT COLUMN kind 'access_token, or identity_assertion, which ends the registration and all its tokens',
    COMMENT COLUMN subject 'Subject of the token: a registration, or a client without one',
    COMMENT COLUMN revoked_at 'When the token was revoked'
