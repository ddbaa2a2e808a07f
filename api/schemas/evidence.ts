// Schemas of the events of a proposal and of the evidence of a tally.
import { Type } from 'typebox'
import { Delegation } from '../../ingest/contract/delegation.ts'
import { EventEnvelope } from '../../ingest/contract/envelope.ts'
import { GovParams, PoolState, Reason, WeightedOption } from '../../ingest/contract/facts.ts'
import { TallyStrategy } from '../../ingest/contract/tally-rule.ts'
import { createCursorEnvelope, nullable, WholeAmount } from './common.ts'

export const EventPage = createCursorEnvelope('EventPage', EventEnvelope)

const EvidenceBallot = Type.Object(
  {
    voter: Type.String(),
    options: Type.Array(WeightedOption),
    delegations: Type.Array(Delegation),
  },
  { title: 'EvidenceBallot' },
)

const EvidencePool = Type.Object(
  { pool: PoolState, counted: Type.Boolean() },
  { title: 'EvidencePool' },
)

/** Only on the first page: the inputs of the tally besides the ballots. */
const evidenceHead = {
  params: Type.Optional(nullable(GovParams)),
  bondedTokens: Type.Optional(nullable(WholeAmount)),
  pools: Type.Optional(Type.Array(EvidencePool)),
}

export const EvidencePage = createCursorEnvelope('EvidencePage', EvidenceBallot, {
  proposalId: Type.String(),
  round: Type.Integer({ minimum: 0 }),
  strategy: nullable(TallyStrategy, { description: 'Null without evidence' }),
  complete: Type.Boolean(),
  incompleteReason: nullable(Reason, { description: 'Null if the evidence is complete' }),
  ...evidenceHead,
})
