// Schemas of the events of a proposal and of the evidence of a tally.
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

/** Only on the first page: the inputs of the tally besides the ballots. */
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
    strategy: nullable(TallyStrategy, { description: 'Null without evidence' }),
    complete: Type.Boolean(),
    incompleteReason: nullable(Reason, { description: 'Null if the evidence is complete' }),
    ...evidenceHead,
  }),
])
