// Queries the state of the chain over several endpoints: from the best one, or as a second opinion from another host.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import { policies } from '../../../infra/base/runtime/policies.ts'
import { retry } from '../../../infra/base/runtime/retry.ts'
import { isUnknownQuery } from '../transport/abci-answer.ts'
import { invalidResponse } from '../transport/decode.ts'
import { type AskBriefly, createAskBriefly } from '../verification/light-block.ts'
import { askInTurn, isDown } from './ask-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import type { AbciAnswer, AbciRequest, ChainNode } from './node.ts'
import { type Pool, untilBelieved, type Within } from './pool.ts'

const queryAbci = async (endpoint: Endpoint, request: AbciRequest): Promise<AbciAnswer> => {
  const read = await endpoint.comet.abciQuery(request)
  // Another endpoint may still have that state.
  if (read.kind === 'pruned') throw new AppError('HEIGHT_UNAVAILABLE', read.log)
  return read
}

/** How long an endpoint counts as one without a query: an upgrade or its operator may add it. */
const LACKS_MS = 10 * 60_000
const MAX_LACKS = 1_000

/** Which endpoints lack a query: a gateway may forbid it, or a node is older than the chain. */
const createSupport = (clock: Clock) => {
  const lacksUntilMs = new LRUCache<string, number>({ max: MAX_LACKS })
  const toKey = ({ name }: Endpoint, path: string) => `${path} ${name}`
  return {
    note: (endpoint: Endpoint, path: string, answer: AbciAnswer) => {
      const key = toKey(endpoint, path)
      if (isUnknownQuery(answer)) lacksUntilMs.set(key, clock.now() + LACKS_MS)
      else lacksUntilMs.delete(key)
    },
    isLacking: (endpoint: Endpoint, path: string): boolean =>
      (lacksUntilMs.get(toKey(endpoint, path)) ?? 0) > clock.now(),
  }
}

export const createStateQueries = (
  pool: Pool,
  within: Within,
): Required<Pick<ChainNode, 'abciQuery' | 'refuse'>> => {
  const { endpoints, settings, signal, clock } = pool
  const answeredBy = new WeakMap<AbciAnswer, Endpoint>()
  const support = createSupport(clock)
  const askBriefly = createAskBriefly({ settings, signal })
  /** A second host may be a block behind, or not reachable at all. */
  const askWitness: AskBriefly = (candidates, need, ask) => {
    const canAnswer = () => candidates.some((each) => !isDown(each))
    const round = () => askBriefly(canAnswer() ? candidates : [], need, ask)
    const when = ({ retryable }: AppError) => retryable && canAnswer()
    const policy = policies.confirmBlock(settings.crossCheckGraceMs)
    return retry(round, { ...policy, signal, clock, when })
  }
  return {
    abciQuery: (request, { avoid = [], besides = [], after } = {}) => {
      const avoided = new Set(avoid.map((answer) => answeredBy.get(answer)))
      const hosts = new Set(besides.map((answer) => answeredBy.get(answer)?.host))
      const remaining = endpoints.filter(
        (endpoint) => !(avoided.has(endpoint) || hosts.has(endpoint.host)),
      )
      const { path, height } = request
      const preferred = after && answeredBy.get(after)
      const last = new Set(remaining.filter((each) => support.isLacking(each, path)))
      const need = { kept: 'state', height, preferred, last } as const
      const query = async (endpoint: Endpoint) => {
        const answer = await queryAbci(endpoint, request)
        answeredBy.set(answer, endpoint)
        support.note(endpoint, path, answer)
        return answer
      }
      /** The answer stands if no other endpoint has the query, or none of them responds. */
      const askOthers = async (answer: AbciAnswer): Promise<AbciAnswer> => {
        const others = remaining.filter((each) => !support.isLacking(each, path))
        if (!isUnknownQuery(answer) || others.length === 0) return answer
        const other = await askWitness(others, need, query).catch((error: unknown) => {
          if (hasCode(error, 'ABORTED')) throw error
          return undefined
        })
        return other ? await askOthers(other) : answer
      }
      const ask = () => {
        if (request.prove) return askBriefly(remaining, need, query)
        if (besides.length > 0) return askWitness(remaining, need, query)
        const round = () => untilBelieved(pool, need)(() => askInTurn(remaining, need, query))
        return within(path, round).then(askOthers)
      }
      return ask().catch((error: unknown) => {
        if (hasCode(error, 'HEIGHT_UNAVAILABLE')) return { kind: 'pruned', log: error.message }
        throw error
      })
    },
    refuse: (answers, reason) => {
      const blamed = answers.map((answer) => answeredBy.get(answer))
      if (reason !== null) blamed.at(-1)?.note(invalidResponse(reason))
      return endpoints.some((each) => !blamed.includes(each) && !each.known.isOfAnotherChain)
    },
  }
}
