// What a missed vote is, for the API and the views of analysts. Pure.

/**
 * Condition on a row of `missed_votes`: its round is the last one of the proposal. The table has a row for each tally of the
 * chain that counted the pool, if its operator did not vote in that round. `proposals` is a table expression.
 * The condition is final at the height of the tally, which also begins the next round or closes the proposal.
 */
export const isMissed = (proposals: string): string =>
  `(proposal_id, round) IN (SELECT proposal_id, round FROM ${proposals})`
