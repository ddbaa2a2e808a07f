// The rows of voters' delegations, as events have them.
import { type GovernanceEvent, stakeChangesIn } from '../../../ingest/contract/events.ts'
import type { Delegation } from '../../../ingest/contract/facts.ts'
import type { VoterStakeRow } from '../../contract/read-model.ts'
import type { EventPosition } from '../event-position.ts'
import { timestampOrEpoch } from '../timestamps.ts'

type Stake = { voter: string; delegations: readonly Delegation[] | null }

const voterStakeRow = ({ voter, delegations }: Stake, at: EventPosition): VoterStakeRow => ({
  voter,
  position: at.digits,
  height: String(at.height),
  time: timestampOrEpoch(at.time),
  delegations_known: delegations !== null,
  delegations: (delegations ?? []).map(({ operatorAddress, shares }) => ({
    operator_address: operatorAddress,
    shares,
  })),
})

const stakesIn = (event: GovernanceEvent): readonly Stake[] => {
  switch (event.type) {
    case 'rollcall.vote.cast.v1': {
      const { voter, delegations } = event.data
      return voter === null ? [] : [{ voter, delegations }]
    }
    case 'rollcall.stake.changed.v1':
      return stakeChangesIn(event)
    case 'rollcall.chain.snapshot.v1':
      return event.data.votes
    default:
      return []
  }
}

export const voterStakeRows = (event: GovernanceEvent, at: EventPosition): VoterStakeRow[] =>
  stakesIn(event).map((stake) => voterStakeRow(stake, at))
