// Creates the rows of pools in the tally that did not vote. There are none before the tally.
import type { MissedVoteRow } from '../../contract/tables/votes.ts'
import type { VotingRound } from '../voting-round.ts'

export const missedVoteRows = (of: VotingRound): MissedVoteRow[] => {
  const { proposalId, round, exact, at, end } = of
  const rows: MissedVoteRow[] = []
  // A canceled vote has no tally of the chain.
  if (end?.by !== 'tallied') return rows
  for (const { operatorAddress, vote, votingPower } of exact?.tally.pools.values() ?? []) {
    if (vote !== null) continue
    const pool = exact?.pools.get(operatorAddress)
    rows.push({
      operatorAddress: operatorAddress,
      proposalId: proposalId,
      round,
      moniker: pool?.moniker ?? '',
      bondedTokens: pool ? BigInt(pool.tokens) : null,
      votingPower,
      version: at.value,
    })
  }
  return rows
}
