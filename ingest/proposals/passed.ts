// Reads the parameters that open proposals would change again when a proposal passes, because they may be different then.
import { ORDINAL, SUB_LIMIT } from '../contract/envelope.ts'
import type { GovernanceEvent } from '../contract/events.ts'
import type { HeightState } from '../heights/height-state.ts'
import { builtInSchema } from '../schema/built-in.ts'
import type { ChainSchema } from '../schema/chain-schema.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import { contextEvent, observeState } from './context.ts'
import type { OpenContexts } from './open-contexts.ts'

/** The last ones of the height: the number of readings never shifts their IDs. */
const FIRST_SUB = SUB_LIMIT - 128

const hasPassed = ({ type, data }: GovernanceEvent): boolean =>
  (type === 'rollcall.proposal.closed.v1' && data.outcome === 'passed') ||
  (type === 'rollcall.proposal.reconciled.v1' && data.proposal?.status === 'passed')

const readChanged = async (
  { modules, plan }: HeightState,
  contexts: OpenContexts,
  schema: ChainSchema,
): Promise<GovernanceEvent[]> => {
  const events: GovernanceEvent[] = []
  for (const [proposalId, known] of contexts.parameters()) {
    const queries = known.map(({ query, request }) => ({ query, request }))
    const found = await observeState(modules, schema, queries)
    const observations = contexts.changed(proposalId, found)
    if (observations.length === 0 || FIRST_SUB + events.length >= SUB_LIMIT) continue
    const at = { ordinal: ORDINAL.after, sub: FIRST_SUB + events.length }
    events.push(contextEvent(plan.block, at, { proposalId, observations, earlierBlock: null }))
  }
  return events
}

/** `facts` are the events of the height's facts. Call in order of heights, after `contexts` has them. */
export const contextsAfterPassing = async (
  state: HeightState,
  facts: readonly GovernanceEvent[],
  { contexts, schemas }: { contexts: OpenContexts; schemas: SchemaSource },
): Promise<GovernanceEvent[]> => {
  if (!facts.some(hasPassed) || contexts.parameters().size === 0) return []
  const schema = (await schemas.latest()) ?? builtInSchema()
  return await readChanged(state, contexts, schema)
}
