// Creates the rows of voters' delegations from a reading.
import type { ReadBallot } from '../../../ingest/contract/round-events.ts'
import { ownDelegations } from '../../../ingest/tally/tally.ts'
import type { VoterStakeRow } from '../../contract/tables/votes.ts'
import type { EventPosition } from '../event-position.ts'
import { timestampOrEpoch } from '../timestamps.ts'

export function voterStakeRows(ballots: readonly ReadBallot[], at: EventPosition): VoterStakeRow[] {
  const time = timestampOrEpoch(at.time)
  const rows: VoterStakeRow[] = []
  for (const { voter, delegations } of ballots) {
    if (delegations === undefined) continue
    rows.push({
      voter,
      position: at.value,
      height: at.height,
      time,
      delegationsKnown: delegations !== null,
      delegations: ownDelegations(delegations ?? []).map(({ operatorAddress, shares }) => ({
        operatorAddress,
        shares,
      })),
    })
  }
  return rows
}
