// Selects the parameters for the minimum deposit of a proposal: the latest in the log from its deposit period.
import { Value } from 'typebox/value'
import type { GovParams, ProposalState } from '../../ingest/contract/facts.ts'
import { type EventPosition, eventPosition } from './event-position.ts'
import type { Observation } from './pool-registry.ts'
import type { FoldState, OpenProposal } from './state.ts'

const isInDepositPeriod = ({ status }: ProposalState): boolean => status === 'deposit_period'

/** Only of this height: a fold that begins with the proposal must give the same row as one that began earlier. */
const observedAt = ({ registry }: FoldState, { height }: EventPosition) =>
  registry.paramsObservedAt(height)

export const firstDepositParams = (
  state: FoldState,
  introduced: ProposalState,
  at: EventPosition,
): GovParams | null | undefined =>
  isInDepositPeriod(introduced) ? observedAt(state, at) : undefined

/** Returns the proposals with new parameters, and the position of the observation. */
export const replaceDepositParams = (
  state: FoldState,
  observations: readonly Observation[],
): { proposals: OpenProposal[]; at: EventPosition } | undefined => {
  const observation = observations.findLast(({ type }) => type !== 'rollcall.pools.observed.v1')
  if (!observation) return undefined
  const at = eventPosition(observation)
  const params = observedAt(state, at)
  if (params === undefined) return undefined
  const proposals = [...state.proposals.values()].filter(
    (proposal) =>
      !proposal.vote &&
      isInDepositPeriod(proposal.state) &&
      !Value.Equal(proposal.depositParams, params),
  )
  for (const proposal of proposals) proposal.depositParams = params
  return { proposals, at }
}
