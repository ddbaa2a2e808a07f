// Queries the state of the chain over several endpoints: from the best one, or as a second opinion from another host.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import { isUnknownQuery, queryAbci } from '../transport/abci-answer.ts'
import { invalidResponse } from '../transport/decode.ts'
import { askInTurn, isDown, PROOF } from './ask-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import type { AbciAnswer, AbciRequest, ChainNode } from './node.ts'
import type { Pool } from './pool.ts'

const readState = async ({ call }: Endpoint, request: AbciRequest): Promise<AbciAnswer> => {
  const read = await queryAbci(call, request)
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

export function createStateQueries({
  endpoints,
  settings,
  clock,
  read,
}: Pool): Required<Pick<ChainNode, 'abciQuery' | 'refuse'>> {
  const answeredBy = new WeakMap<AbciAnswer, Endpoint>()
  const support = createSupport(clock)

  const abciQuery: ChainNode['abciQuery'] = async (request, options = {}) => {
    const { avoid = [], besides = [], after, ...patience } = options
    const avoided = new Set(avoid.map((answer) => answeredBy.get(answer)?.name))
    const hosts = new Set(besides.map((answer) => answeredBy.get(answer)?.host))
    const remaining = endpoints.filter(({ name, host }) => !(avoided.has(name) || hosts.has(host)))
    const { path, height } = request
    const lacking = remaining.filter((each) => support.isLacking(each, path))
    const need = {
      ...patience,
      kept: 'state',
      height,
      what: path,
      preferred: after && answeredBy.get(after),
      last: new Set(lacking.map(({ name }) => name)),
    } as const
    const query = async (endpoint: Endpoint) => {
      const answer = await readState(endpoint, request)
      answeredBy.set(answer, endpoint)
      support.note(endpoint, path, answer)
      return answer
    }
    /** One short attempt per endpoint, for some seconds: another host may be a block behind, or not reachable at all. */
    const askWitness = (witnesses: readonly Endpoint[]) => {
      const up = witnesses.filter((each) => !isDown(each))
      const brief = { budgetMs: settings.crossCheckGraceMs, withinMs: settings.proofTimeoutMs }
      return read({ ...need, ...brief, endpoints: up }, query)
    }
    /** The answer stands if no other endpoint has the query, or none of them responds. */
    const askOthers = async (answer: AbciAnswer): Promise<AbciAnswer> => {
      const others = remaining.filter((each) => !support.isLacking(each, path))
      if (!isUnknownQuery(answer) || others.length === 0) return answer
      const other = await askWitness(others).catch((error: unknown) => {
        if (hasCode(error, 'ABORTED')) throw error
        return undefined
      })
      return other ? await askOthers(other) : answer
    }
    try {
      if (request.prove) {
        const brief = { what: PROOF, withinMs: settings.proofTimeoutMs }
        return await askInTurn(remaining, { ...need, ...brief }, query)
      }
      if (besides.length > 0) return await askWitness(remaining)
      return await askOthers(await read({ ...need, endpoints: remaining }, query))
    } catch (error) {
      if (hasCode(error, 'HEIGHT_UNAVAILABLE')) return { kind: 'pruned', log: error.message }
      throw error
    }
  }
  return {
    abciQuery,
    refuse: (answers, reason) => {
      const blamed = answers.map((answer) => answeredBy.get(answer))
      if (reason !== null) blamed.at(-1)?.note(invalidResponse(reason))
      const names = blamed.map((each) => each?.name)
      return endpoints.some((each) => !(names.includes(each.name) || each.known.isOfAnotherChain))
    },
  }
}
