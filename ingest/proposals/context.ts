// Builds the events that follow the messages of a proposal: related state, and bytes that are too long for JSON.

import { hasCode } from '../../infra/base/runtime/errors.ts'
import { reasonOrNull, valueOrNull } from '../chain/answer.ts'
import type { ChainReader } from '../comet/endpoints/node.ts'
import type { StateObservation } from '../contract/context-events.ts'
import type { EventOf, GovernanceEvent } from '../contract/events.ts'
import type { Coin } from '../contract/facts.ts'
import { type At, type BlockReference, eventAt, proposalSubject } from '../derive/event-at.ts'
import { base64Chunks } from '../proofs/base64-chunks.ts'
import { builtInSchema } from '../schema/built-in.ts'
import type { ChainSchema } from '../schema/chain-schema.ts'
import type { ModuleQuery, ModuleState } from '../schema/module-query.ts'
import type { KeptBytes } from '../schema/proposal-messages.ts'
import { contextQueries, namesHeight } from './context-queries.ts'
import type { DecodedProposal } from './decoded-proposals.ts'

type ContextData = EventOf<'rollcall.proposal.context.v1'>['data']

/** Distance to the earlier block from which readers estimate the block time. */
const EARLIER_BY = 1_000

/** Limit for one proposal, as JSON. Further responses are not kept. */
const MAX_CONTEXT_BYTES = 256 * 2 ** 10

const withinBytes = (observations: readonly StateObservation[]): StateObservation[] => {
  let left = MAX_CONTEXT_BYTES
  return observations.map((observation) => {
    left -= Buffer.byteLength(JSON.stringify(observation.response))
    if (left >= 0) return observation
    const reason = `left out: the responses have more than ${MAX_CONTEXT_BYTES} bytes`
    return { ...observation, response: null, reason }
  })
}

export const observeState = async (
  state: ModuleState,
  schema: ChainSchema,
  queries: readonly ModuleQuery[],
): Promise<StateObservation[]> => {
  const observations = queries.map(async (each): Promise<StateObservation> => {
    const answer = await state.read(schema, each)
    return {
      query: each.query,
      request: { ...each.request },
      response: valueOrNull(answer),
      reason: reasonOrNull(answer),
    }
  })
  return withinBytes(await Promise.all(observations))
}

const readEarlierBlock = async (
  node: Pick<ChainReader, 'block'>,
  height: number,
): Promise<ContextData['earlierBlock']> => {
  const earlier = Math.max(1, height - EARLIER_BY)
  if (earlier >= height) return null
  try {
    const { time } = await node.block(earlier)
    return { height: earlier, time }
  } catch (error) {
    if (hasCode(error, 'HEIGHT_UNAVAILABLE')) return null
    throw error
  }
}

export type ContextSubject = {
  proposalId: string
  deposit: readonly Coin[]
  decoded: DecodedProposal
}

/** Undefined if the messages refer to no state. */
export const readContext = async (
  node: Pick<ChainReader, 'block'>,
  state: ModuleState,
  { proposalId, deposit, decoded }: ContextSubject,
): Promise<ContextData | undefined> => {
  const { ownSchema, messages } = decoded
  if (messages.length === 0) return undefined
  const schema = ownSchema ?? builtInSchema()
  const queries = contextQueries(schema, messages, deposit)
  const [observations, earlierBlock] = await Promise.all([
    observeState(state, schema, queries),
    namesHeight(messages) ? readEarlierBlock(node, state.height) : null,
  ])
  if (observations.length === 0 && earlierBlock === null) return undefined
  return { proposalId, observations, earlierBlock }
}

export const contextEvent = (
  block: BlockReference,
  at: At,
  data: ContextData,
): EventOf<'rollcall.proposal.context.v1'> =>
  eventAt(block, at, {
    type: 'rollcall.proposal.context.v1',
    subject: proposalSubject(data.proposalId),
    data,
  })

type IndexRange = At & { end: number }

/** Numbers the events from `sub`, in order. Fields beyond `end` are not kept: the message has their digest. */
export const bytesEvents = (
  block: BlockReference,
  kept: readonly (KeptBytes & { proposalId: string })[],
  { ordinal, sub, end }: IndexRange,
): GovernanceEvent[] => {
  const events: GovernanceEvent[] = []
  for (const { proposalId, message, path, sha256, bytes } of kept) {
    const chunks = base64Chunks(bytes)
    if (sub + events.length + chunks.length > end) break
    for (const [chunk, part] of chunks.entries()) {
      const data = { chunk, chunks: chunks.length, proposalId, message, path, sha256 }
      events.push(
        eventAt(
          block,
          { ordinal, sub: sub + events.length },
          {
            type: 'rollcall.message.bytes.v1',
            subject: proposalSubject(proposalId),
            data: { ...data, size: bytes.length, bytes: part },
          },
        ),
      )
    }
  }
  return events
}
