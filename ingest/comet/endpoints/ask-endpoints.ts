// Decides which endpoints receive a request, in which order, and which error results if none can answer.
import { type Clock, pause } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import { invalidResponse } from '../transport/decode.ts'
import { isNotYet } from '../transport/rpc.ts'
import type { Endpoint, Kept } from './endpoint.ts'
import type { NodeStatus } from './node.ts'

/** What a request needs from an endpoint. `height` 0 is the latest. */
export type Need = {
  kept: Kept
  height: number
  /** Preferred over other endpoints of the same health, at any latency. */
  preferred?: Endpoint | undefined
  /** Only asked after the others: they lack the query, or did not answer such a request in time. */
  last?: ReadonlySet<Endpoint>
}

/** More than any other penalty, except for state that the endpoint does not have. */
const LAST = 5_000
/** More than the penalty of any latency class, less than the penalty of one failure. */
const PREFERENCE = 50

/** Lower is better. Coarse latency classes prevent two equal endpoints from alternating. */
const scoreEndpoint = (endpoint: Endpoint, { kept, height, preferred, last }: Need): number => {
  const lacks = endpoint.windows[kept].lacks(height) ? 10_000 : 0
  const isBehind = endpoint.known.tip > 0 && endpoint.known.tip < height
  const behind = isBehind || endpoint.lag.waitMs(height) > 0 ? 1_000 : 0
  const failures = Math.min(endpoint.known.failures, 9) * 100
  const latency = Math.round(Math.log2(endpoint.expectedMs() + 8))
  const isLast = last?.has(endpoint) ? LAST : 0
  const preference = endpoint === preferred ? PREFERENCE : 0
  return lacks + isLast + behind + failures + latency - preference
}

/** Healthy endpoints, best first; if all of them are cooling down, all of them. */
export const candidatesFor = (endpoints: readonly Endpoint[], need: Need): Endpoint[] => {
  const sameChain = endpoints.filter((endpoint) => !endpoint.known.isOfAnotherChain)
  const rested = sameChain.filter((endpoint) => !endpoint.isCooling())
  const usable = rested.length > 0 ? rested : sameChain
  return usable.toSorted((a, b) => scoreEndpoint(a, need) - scoreEndpoint(b, need))
}

/** So many failures that it is not worth waiting for a second opinion of it. */
export const isDown = (endpoint: Endpoint): boolean => endpoint.isGivenUp() && endpoint.isCooling()

type Failure = { endpoint: Endpoint; error: AppError }

/**
 * The error if no endpoint answered. Ingest cannot continue without a block, so it waits for an endpoint that
 * is down. State may be missing, so it does not wait for state.
 */
const summarizeFailures = (
  failures: readonly Failure[],
  endpoints: readonly Endpoint[],
  kept?: Kept,
): AppError => {
  const final = failures.find(
    ({ error }) => error.code === 'HEIGHT_UNAVAILABLE' || error.code === 'CHAIN_FORKED',
  )
  const hasFinalAnswer = (endpoint: Endpoint) =>
    endpoint.known.isOfAnotherChain ||
    (kept === 'state' && endpoint.isGivenUp()) ||
    endpoint.known.fault === final?.error.code ||
    failures.some((each) => each.endpoint === endpoint && each.error.code === final?.error.code)
  if (final && endpoints.every(hasFinalAnswer)) {
    return new AppError(final.error.code, final.error.message, { cause: final.error })
  }
  const reasons = failures.map(({ endpoint, error }) => `${endpoint.name}: ${error.message}`)
  const message = reasons.join('; ') || 'no endpoint serves this chain'
  const cause = (failures.find(({ error }) => isTimeout(error)) ?? failures[0])?.error
  return new AppError('RPC_UNAVAILABLE', message, { retryable: true, cause })
}

/** True if an endpoint did not answer in time. */
export const isTimeout = (error: AppError): boolean =>
  error.code === 'DEADLINE_EXCEEDED' || hasCode(error.cause, 'DEADLINE_EXCEEDED')

/** Asks one endpoint after a check of its chain and records the outcome. Throws an `AppError`. */
export const askOne = async <T>(
  endpoint: Endpoint,
  need: Need,
  ask: (endpoint: Endpoint) => Promise<T>,
): Promise<T> => {
  try {
    await endpoint.verify()
    await endpoint.lag.untilLikely(need.height)
    const answer = await ask(endpoint)
    endpoint.succeeded(need)
    return answer
  } catch (caught) {
    throw hasCode(caught, 'ABORTED') ? caught : endpoint.note(caught, need)
  }
}

/** Asks every candidate once, in order; throws the combined error if none could answer. */
export const askInTurn = async <T>(
  endpoints: readonly Endpoint[],
  need: Need,
  ask: (endpoint: Endpoint) => Promise<T>,
): Promise<T> => {
  const failures: Failure[] = []
  for (const endpoint of candidatesFor(endpoints, need)) {
    try {
      return await askOne(endpoint, need, ask)
    } catch (error) {
      if (hasCode(error, 'ABORTED')) throw error
      failures.push({ endpoint, error: error as AppError })
    }
  }
  throw summarizeFailures(failures, endpoints, need.kept)
}

/** A claim further beyond all others than this is checked. */
const MAX_LEAP = 1_000

type Claim = { endpoint: Endpoint; status: NodeStatus }

/** An endpoint that claims a height without having it is blamed. */
const isTrue = async ({ endpoint, status }: Claim): Promise<boolean> => {
  try {
    await endpoint.call('commit', { height: String(status.latestHeight) })
    return true
  } catch (error) {
    // Any other failure says nothing about the height.
    if (!(error instanceof AppError && isNotYet(error))) return true
    const claim = `claims height ${status.latestHeight}, but does not have it`
    endpoint.note(invalidResponse(claim, error))
    return false
  }
}

/** The highest status; one that is far beyond all others only if its endpoint has that height. */
const findBest = async (claims: readonly Claim[]): Promise<NodeStatus | undefined> => {
  const [first, second, ...others] = claims.toSorted(
    (a, b) => b.status.latestHeight - a.status.latestHeight,
  )
  if (!first || !second) return first?.status
  const leap = first.status.latestHeight - second.status.latestHeight
  if (leap <= MAX_LEAP || (await isTrue(first))) return first.status
  return await findBest([second, ...others])
}

/** Asks all endpoints at once, waits briefly for the slower ones, and returns the highest tip. */
export const askAllForStatus = async (
  endpoints: readonly Endpoint[],
  { graceMs, toleranceBlocks, clock }: { graceMs: number; toleranceBlocks: number; clock: Clock },
): Promise<NodeStatus> => {
  const claims: Claim[] = []
  const failures: Failure[] = []
  const over = new AbortController()
  const rested = endpoints.filter((endpoint) => !endpoint.isCooling())
  const requests = (rested.length > 0 ? rested : endpoints).map(async (endpoint) => {
    try {
      claims.push({ endpoint, status: await endpoint.refresh() })
      endpoint.succeeded()
    } catch (error) {
      failures.push({ endpoint, error: endpoint.note(error) })
      throw error
    }
  })
  const grace = () => pause(graceMs, over.signal, clock)
  const all = Promise.allSettled(requests)
  await Promise.race([all, Promise.any(requests).then(grace, () => all)])
  over.abort()
  const best = await findBest(claims)
  if (!best) {
    const aborted = failures.find(({ error }) => error.code === 'ABORTED')
    throw aborted?.error ?? summarizeFailures(failures, endpoints)
  }
  for (const endpoint of endpoints) endpoint.compareTip(best.latestHeight, toleranceBlocks)
  return { ...best, earliestHeight: Math.min(...claims.map(({ status }) => status.earliestHeight)) }
}
