// Creates the rows of pools in the tally that did not vote. There are none before the tally.
import type { MissedVoteRow } from '../../contract/read-model.ts'
import type { VotingRound } from '../voting-round.ts'

export const missedVoteRows = ({ proposalId, round, exact, at }: VotingRound): MissedVoteRow[] => {
  const rows: MissedVoteRow[] = []
  for (const { operatorAddress, vote } of exact?.tally.pools.values() ?? []) {
    if (vote !== null) continue
    const version = at.digits
    rows.push({ operator_address: operatorAddress, proposal_id: proposalId, round, version })
  }
  return rows
}
