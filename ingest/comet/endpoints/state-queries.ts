// Queries the state of the chain over several endpoints: from the best one, or as a second opinion from another host. The index of
// transactions of one endpoint is a hint, of which only the heights are kept.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import { policies } from '../../../infra/base/runtime/policies.ts'
import { retry } from '../../../infra/base/runtime/retry.ts'
import { isUnknownQuery, queryAbci } from '../transport/abci-answer.ts'
import { invalidResponse, list, type RpcTxSearch, readHeight } from '../transport/wire.ts'
import type { Endpoint } from './endpoint.ts'
import type { AbciAnswer, AbciRequest, ChainNode, FoundHeights } from './node.ts'
import { isDown, PROOF, type Ring, WITNESS_GRACE_MS } from './ring.ts'

const readState = async ({ call }: Endpoint, request: AbciRequest): Promise<AbciAnswer> => {
  const read = await queryAbci(call, request)
  // Another endpoint may still have that state.
  if (read.kind === 'pruned') throw new AppError('HEIGHT_UNAVAILABLE', read.log)
  return read
}

/** So long an endpoint that does not know a query is not asked for it as a witness: its node may be replaced. */
const LACKING_MS = 600_000

type Queried = Pick<Ring, 'read'> & { endpoints: readonly Endpoint[] }

export function createStateQueries({
  endpoints,
  read,
}: Queried): Required<Pick<ChainNode, 'abciQuery' | 'refuse'>> {
  const answeredBy = new WeakMap<AbciAnswer, Endpoint>()
  /** Endpoints without a query, with its path. */
  const lacking = new LRUCache<string, true>({ max: 1_000, ttl: LACKING_MS })

  const abciQuery: ChainNode['abciQuery'] = async (request, options = {}) => {
    const { avoid = [], besides = [], after, ...patience } = options
    const avoided = new Set(avoid.map((answer) => answeredBy.get(answer)?.name))
    const hosts = new Set(besides.map((answer) => answeredBy.get(answer)?.host))
    const remaining = endpoints.filter(({ name, host }) => !(avoided.has(name) || hosts.has(host)))
    const { path: what, height } = request
    const preferred = after && answeredBy.get(after)
    const need = { ...patience, kept: 'state', height, what, preferred } as const
    const query = async (endpoint: Endpoint) => {
      const answer = await readState(endpoint, request)
      answeredBy.set(answer, endpoint)
      return answer
    }
    /** For some seconds: another host may be a block behind, or not reachable at all. */
    const askWitness = (witnesses: readonly Endpoint[]) => {
      const up = witnesses.filter((each) => !isDown(each))
      const brief = { budgetMs: WITNESS_GRACE_MS, withinMs: PROOF.withinMs }
      return read({ ...need, ...brief, endpoints: up }, query)
    }
    /** A gateway may forbid the query, or a node is older than the chain. The answer stands if no other endpoint has the query. */
    const askOthers = async (answer: AbciAnswer): Promise<AbciAnswer> => {
      if (!isUnknownQuery(answer)) return answer
      const asked = answeredBy.get(answer)?.name
      const isNews = ({ name }: Endpoint) => name !== asked && !lacking.has(`${name} ${what}`)
      for (const other of remaining.filter(isNews)) {
        const found = await askWitness([other]).catch((error: unknown) => {
          if (hasCode(error, 'ABORTED')) throw error
          return answer
        })
        if (!isUnknownQuery(found)) return found
        if (answeredBy.get(found) === other) lacking.set(`${other.name} ${what}`, true)
      }
      return answer
    }
    try {
      if (request.prove) return await read({ ...need, ...PROOF, endpoints: remaining }, query)
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

type Pausing = { clock: Clock; signal: AbortSignal }

async function search(
  { call, name }: Endpoint,
  query: string,
  pausing: Pausing,
): Promise<FoundHeights> {
  const heights = new Set<number>()
  let last: string | null | undefined
  for (let [page, seen] = [1, 0]; ; page++) {
    const paging = { page: `${page}`, per_page: `${PER_PAGE}`, order_by: 'asc' }
    const ask = () => call<RpcTxSearch>('tx_search', { query, prove: false, ...paging })
    const isLimited = (error: AppError) => page > 1 && hasCode(error, 'RPC_LIMITED')
    const found = await retry(ask, { ...policies.searchPage, ...pausing, when: isLimited })
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
export function createTxSearch({
  read,
  clock,
  signal,
}: Pick<Ring, 'read'> & Pausing): ChainNode['searchTxs'] {
  const need = { kept: 'block', height: 0, what: 'tx_search' } as const
  return (query, patience = {}) =>
    read({ ...patience, ...need }, (each) =>
      search(each, query, { clock, signal }).catch(toRefusal),
    )
}
