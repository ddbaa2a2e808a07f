// Schemas of the events of a proposal and of the evidence of a tally.
import { Type } from 'typebox'
import { Delegation } from '../../ingest/contract/delegation.ts'
import { EventEnvelope } from '../../ingest/contract/envelope.ts'
import { GovParams, PoolState, Reason, WeightedOption } from '../../ingest/contract/facts.ts'
import { TallyStrategy } from '../../ingest/contract/tally-rule.ts'
import { component, count, createEnvelope, nullable, PAGING, WholeAmount } from './common.ts'

export const EventPage = createEnvelope('EventPage', EventEnvelope, PAGING.cursor)

const EvidenceBallot = component('EvidenceBallot', {
  voter: Type.String(),
  options: Type.Array(WeightedOption),
  delegations: Type.Array(Delegation),
})

const EvidencePool = component('EvidencePool', { pool: PoolState, counted: Type.Boolean() })

/** Only on the first page: the inputs of the tally besides the ballots. */
const evidenceHead = {
  params: Type.Optional(nullable(GovParams)),
  bondedTokens: Type.Optional(nullable(WholeAmount)),
  pools: Type.Optional(Type.Array(EvidencePool)),
}

export const EvidencePage = createEnvelope('EvidencePage', EvidenceBallot, PAGING.cursor, {
  proposalId: Type.String(),
  round: count(),
  strategy: nullable(TallyStrategy, 'Null without evidence'),
  complete: Type.Boolean(),
  incompleteReason: nullable(Reason, 'Null if the evidence is complete'),
  ...evidenceHead,
})
