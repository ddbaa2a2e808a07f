// Creates the rows of voters' delegations from events.

import type { Delegation } from '../../../ingest/contract/delegation.ts'
import { type GovernanceEvent, stakeChangesIn } from '../../../ingest/contract/events.ts'
import { ownDelegations } from '../../../ingest/tally/tally.ts'
import type { VoterStakeRow } from '../../contract/tables/voter-stakes.ts'
import type { EventPosition } from '../event-position.ts'
import { timestampOrEpoch } from '../timestamps.ts'

type Stake = { voter: string; delegations: readonly Delegation[] | null }

const voterStakeRow = ({ voter, delegations }: Stake, at: EventPosition): VoterStakeRow => ({
  voter,
  position: at.value,
  height: at.height,
  time: timestampOrEpoch(at.time),
  delegationsKnown: delegations !== null,
  delegations: ownDelegations(delegations ?? []).map(({ operatorAddress, shares }) => ({
    operatorAddress: operatorAddress,
    shares,
  })),
})

export const addVoterStakes = (
  rows: VoterStakeRow[],
  event: GovernanceEvent,
  at: EventPosition,
): void => {
  switch (event.type) {
    case 'rollcall.vote.cast.v1': {
      const { voter, delegations } = event.data
      if (voter !== null) rows.push(voterStakeRow({ voter, delegations }, at))
      break
    }
    case 'rollcall.stake.changed.v1':
      for (const change of stakeChangesIn(event)) rows.push(voterStakeRow(change, at))
      break
    case 'rollcall.chain.snapshot.v1':
      for (const vote of event.data.votes) rows.push(voterStakeRow(vote, at))
      break
    default:
  }
}
