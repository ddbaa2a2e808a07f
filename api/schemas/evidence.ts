// What stands behind a proposal's numbers: its events as they are in the log, and all that a tally was computed from.
import { Type } from 'typebox'
import { EventEnvelope } from '../../ingest/contract/envelope.ts'
import {
  Delegation,
  GovParams,
  PoolState,
  Reason,
  TallyStrategy,
  WeightedOption,
} from '../../ingest/contract/facts.ts'
import { createCursorEnvelope, nullable, WholeAmount } from './common.ts'

export const EventPage = createCursorEnvelope(EventEnvelope)

const EvidenceBallot = Type.Object({
  voter: Type.String(),
  options: Type.Array(WeightedOption),
  delegations: Type.Array(Delegation),
})

/** On the first page only: what the chain's tally saw besides the ballots. */
const evidenceHead = {
  params: Type.Optional(nullable(GovParams)),
  bondedTokens: Type.Optional(nullable(WholeAmount)),
  pools: Type.Optional(Type.Array(Type.Object({ pool: PoolState, counted: Type.Boolean() }))),
}

export const EvidencePage = Type.Intersect([
  createCursorEnvelope(EvidenceBallot),
  Type.Object({
    proposalId: Type.String(),
    round: Type.Integer({ minimum: 0 }),
    strategy: nullable(TallyStrategy, { description: 'Null where there is no evidence' }),
    complete: Type.Boolean(),
    incompleteReason: nullable(Reason, { description: 'Null when complete' }),
    ...evidenceHead,
  }),
])
