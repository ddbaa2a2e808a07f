// The power of a vote over its time, for the API and the views of analysts. Pure.

/** Table expressions, each with a condition at its end. */
type Sources = { ballots: string; poolVotes: string; pools: string }

/**
 * Selects `proposal_id`, `round`, `height`, `time`, `is_ballot`, `atto` and `version` of the last ballot of each voter and the
 * vote of each pool. `atto` is its power in the tally. The power of a pool includes the self-delegation of its operator,
 * which is therefore subtracted from the ballot.
 */
export const buildCastPower = ({ ballots, poolVotes, pools }: Sources): string => `
  SELECT b.proposal_id AS proposal_id, b.round AS round, b.height AS height, b.time AS time, 1 AS is_ballot,
    b.voting_power_atto - arraySum(arrayMap(
      d -> if(d.operator_address = own.operator_address, ifNull(d.voting_power_atto, 0), 0), b.delegations
    )) AS atto, b.version AS version
  FROM (
    SELECT proposal_id, round, height, time, voter_key, voting_power_atto, delegations, version
    FROM ${ballots} AND counted AND in_state
  ) AS b
  LEFT JOIN (SELECT account_key, operator_address FROM ${pools}) AS own ON b.voter_key = own.account_key
  UNION ALL
  SELECT proposal_id, round, vote_height AS height, vote_time AS time, 0 AS is_ballot,
    voting_power_atto AS atto, version
  FROM ${poolVotes} AND voted`

/** Each option of a tally is truncated to whole units, so a sum of powers can differ by less than one unit per option. */
export const MAX_TRUNCATED_UNITS = 4
