// Queries the state of the chain over several endpoints: from the best one, or as a second opinion from another host. The index of
// transactions of one endpoint is a hint, of which only the heights are kept.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import { isUnknownQuery, queryAbci } from '../transport/abci-answer.ts'
import { invalidResponse, list, type RpcTxSearch, readHeight } from '../transport/wire.ts'
import { askInTurn, isDown, PROOF } from './ask-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import type { AbciAnswer, AbciRequest, ChainNode, FoundHeights } from './node.ts'
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

/** A page has whole transactions: short ones fit the limit of a response. */
const PER_PAGE = 30
/** So many transactions of one query. */
const MAX_FOUND = 200_000

/** An endpoint without an index is healthy. */
function toRefusal(error: unknown): FoundHeights {
  const isRefusal = error instanceof AppError && hasCode(error, 'RPC_REFUSED')
  if (!isRefusal || error.retryable) throw error
  return { heights: [], reason: error.message }
}

async function search({ call, name }: Endpoint, query: string): Promise<FoundHeights> {
  const heights = new Set<number>()
  let last: string | null | undefined
  for (let [page, seen] = [1, 0]; ; page++) {
    const paging = { page: `${page}`, per_page: `${PER_PAGE}`, order_by: 'asc' }
    const found = await call<RpcTxSearch>('tx_search', { query, prove: false, ...paging })
    const txs = list(found.txs, 'txs')
    for (const tx of txs) heights.add(readHeight(tx?.height, 'txs.height'))
    const total = readHeight(found.total_count ?? 0, 'total_count')
    seen += txs.length
    const isRepeated = txs[0]?.hash === last
    last = txs[0]?.hash
    if (seen < total && txs.length > 0 && !isRepeated && seen < MAX_FOUND) continue
    const reason = `the index of ${name} returned ${seen} of ${total} transactions`
    return { heights: [...heights], reason: seen < total ? reason : null }
  }
}

/** Each endpoint has its own index: `pool` is one endpoint, or the best one is asked. */
export function createTxSearch({ read }: Pool): ChainNode['searchTxs'] {
  const need = { kept: 'block', height: 0, what: 'tx_search' } as const
  return (query, patience = {}) =>
    read({ ...patience, ...need }, (each) => search(each, query).catch(toRefusal))
}
