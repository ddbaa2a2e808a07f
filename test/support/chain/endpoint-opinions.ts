// Several endpoints of one chain in memory, which may report different states. They are asked in a fixed order.
import { QueryProposalsResponse } from 'cosmjs-types/cosmos/gov/v1/query'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { AbciAnswer, ChainNode } from '../../../ingest/comet/endpoints/node.ts'
import type { MemoryChain } from './memory-chain.ts'

export type Answerer = Pick<MemoryChain, 'abciQuery'>

/** It does not answer. */
export const DEAD: Answerer = {
  abciQuery: () => Promise.reject(new AppError('RPC_UNAVAILABLE', 'dead', { retryable: true })),
}

const NO_PROPOSALS = QueryProposalsResponse.encode(
  QueryProposalsResponse.fromPartial({ pagination: {} }),
).finish()

/** An endpoint that lacks every proposal at some heights. */
export const createForgetful = (
  chain: MemoryChain,
  isForgotten: (height: number) => boolean,
): MemoryChain => {
  const { abciQuery } = chain
  return Object.assign(Object.create(chain), {
    abciQuery: async (request: Parameters<typeof abciQuery>[0]): Promise<AbciAnswer> => {
      const [, method] = request.path.split('Query/')
      if (!isForgotten(request.height)) return await abciQuery(request)
      if (method === 'Proposal') return { kind: 'not_found', log: 'proposal does not exist' }
      if (method === 'Proposals') return { kind: 'value', value: NO_PROPOSALS }
      return await abciQuery(request)
    },
  })
}

export type Blame = { endpoint: number; reason: string }

/** The first endpoint answers, and the next ones only as second opinions. Blocks come from `chain`. */
export const overEndpoints = (
  chain: MemoryChain,
  endpoints: readonly Answerer[],
): { node: MemoryChain; blames: readonly Blame[] } => {
  const servedBy = new WeakMap<AbciAnswer, number>()
  const blames: Blame[] = []
  const abciQuery: ChainNode['abciQuery'] = async (request, { besides = [] } = {}) => {
    const asked = besides.map((answer) => servedBy.get(answer))
    for (const [order, endpoint] of endpoints.entries()) {
      if (asked.includes(order) || endpoint === DEAD) continue
      const answer = { ...(await endpoint.abciQuery(request)) }
      servedBy.set(answer, order)
      return answer
    }
    throw new AppError('RPC_UNAVAILABLE', 'no endpoint answers', { retryable: true })
  }
  const refuse: ChainNode['refuse'] = (answers, reason) => {
    const asked = answers.map((answer) => servedBy.get(answer))
    if (reason !== null) blames.push({ endpoint: asked.at(-1) ?? -1, reason })
    return endpoints.some((_, order) => !asked.includes(order))
  }
  return { node: Object.assign(Object.create(chain), { abciQuery, refuse }), blames }
}
