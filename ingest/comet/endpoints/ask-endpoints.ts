// Decides which endpoints receive a request, in which order, and which error results if none can answer.
import { linkedAbort, unlessAborted } from '../../../infra/base/runtime/abort.ts'
import { type Clock, pause } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import { isNotYet } from '../transport/rpc.ts'
import { invalidResponse } from '../transport/wire.ts'
import { type Endpoint, type Request, withOptions } from './endpoint.ts'
import type { NodeStatus } from './node.ts'

/** What a request needs from an endpoint. */
export type Need = Request & {
  /** Preferred over other endpoints of the same health, at any latency. */
  preferred?: Endpoint | undefined
  /** Only asked after the others: they lack the query. By name. */
  last?: ReadonlySet<string>
  /** One endpoint has this long, whatever it sends meanwhile. */
  withinMs?: number
  /** A call that takes longer than this, and than usual, is asked of a second endpoint as well. */
  hedgeMs?: number
  /** Waits for the pace of an endpoint that refuses the first call already. */
  isPatient?: boolean
  /** Its place in the turn of each endpoint. */
  order?: number | undefined
  /** The round of this read, from 1 on: later ones wait longer. */
  round?: number
  /** Receives the names of the endpoints while they are asked. */
  asked?: Set<string>
  /** Ends the request. */
  signal?: AbortSignal | undefined
}

/** The kind of requests for proofs and light blocks, which are worth less than a delay. */
export const PROOF = 'proof'
/** Of several blocks at once: how long they take says nothing about one. */
export const RANGE = { kept: 'block', what: 'blocks' } as const

/** More than any other penalty, except for data that the endpoint does not have. */
const LAST = 5_000
/** More than the penalty of any latency class, less than the penalty of one failure. */
const PREFERENCE = 50

/** Lower is better. Coarse latency classes prevent two equal endpoints from alternating. */
const scoreEndpoint = (endpoint: Endpoint, need: Need): number => {
  const { kept, height, what = kept, preferred, last } = need
  const { known } = endpoint
  const hasNot = what === 'block' && known.discardsResults
  const lacks = hasNot || endpoint.windows[kept].lacks(height) ? 10_000 : 0
  const isBehind = known.tip > 0 && known.tip < height
  const behind = isBehind || endpoint.lag.waitMs(height) > 0 ? 1_000 : 0
  const slow = endpoint.slowness(what) > 0 ? 900 : 0
  const failures = Math.min(known.failures, 9) * 100
  const latency = Math.round(Math.log2(endpoint.expectedMs(what) + 8))
  const isLast = last?.has(endpoint.name) ? LAST : 0
  const preference = endpoint.name === preferred?.name ? PREFERENCE : 0
  return lacks + isLast + behind + slow + failures + latency - preference
}

/** Healthy endpoints, best first; if all of them are cooling down, all of them. */
export function candidatesFor(endpoints: readonly Endpoint[], need: Need): Endpoint[] {
  const sameChain = endpoints.filter((endpoint) => !endpoint.known.isOfAnotherChain)
  const rested = sameChain.filter((endpoint) => !endpoint.isCooling())
  const usable = rested.length > 0 ? rested : sameChain
  return usable.toSorted((a, b) => scoreEndpoint(a, need) - scoreEndpoint(b, need))
}

/** It failed or was too slow so often that it is not worth waiting for a second opinion of it. */
export function isDown(endpoint: Endpoint): boolean {
  return (endpoint.isGivenUp() && endpoint.isCooling()) || endpoint.slowness('block') > 1
}

type Failure = { endpoint: Endpoint; error: AppError }

/** True if an endpoint did not answer in time. */
function isTimeout(error: AppError): boolean {
  return error.code === 'DEADLINE_EXCEEDED' || hasCode(error.cause, 'DEADLINE_EXCEEDED')
}

const findFinal = (failures: readonly Failure[]): Failure | undefined => {
  const finals = failures.filter(
    ({ error }) => error.code === 'HEIGHT_UNAVAILABLE' || error.code === 'CHAIN_FORKED',
  )
  // That its results are discarded is the better reason: an operator can change it.
  return finals.find(({ endpoint }) => endpoint.known.discardsResults) ?? finals[0]
}

/**
 * The error if no endpoint answered. Ingest cannot continue without a block, so it waits for an endpoint that
 * is down. State may be missing, so it does not wait for state. What an endpoint has said about the height stays said.
 */
const summarizeFailures = (
  failures: readonly Failure[],
  endpoints: readonly Endpoint[],
  need?: Need,
): AppError => {
  const final = findFinal(failures)
  const hasFinalAnswer = (endpoint: Endpoint) =>
    endpoint.known.isOfAnotherChain ||
    (need?.kept === 'state' && endpoint.isGivenUp()) ||
    endpoint.known.fault === final?.error.code ||
    (final?.error.code === 'HEIGHT_UNAVAILABLE' &&
      endpoint.windows[need?.kept ?? 'block'].hasRefused(need?.height ?? 0)) ||
    failures.some((each) => each.endpoint === endpoint && each.error.code === final?.error.code)
  if (final && endpoints.every(hasFinalAnswer)) {
    return new AppError(final.error.code, final.error.message, { cause: final.error })
  }
  const reasons = failures.map(({ endpoint, error }) => `${endpoint.name}: ${error.message}`)
  const message = reasons.join('; ') || 'no endpoint serves this chain'
  const cause = (failures.find(({ error }) => isTimeout(error)) ?? failures[0])?.error
  return new AppError('RPC_UNAVAILABLE', message, { retryable: true, cause })
}

/**
 * Asks one endpoint after a check of its chain and records the outcome. Throws an `AppError`. Its calls end with the request, also
 * if nobody waits for them any more.
 */
export async function askOne<T>(
  endpoint: Endpoint,
  need: Need,
  ask: (endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  const { withinMs, order, isPatient = false, what = need.kept, asked } = need
  const ending = linkedAbort(need.signal)
  const { signal } = ending
  const own = withOptions(endpoint, { signal, order, attempt: { isPatient } })
  const startedMs = performance.now()
  let isLate = false
  const end = () => {
    isLate = true
    ending.abort()
  }
  const timer = withinMs === undefined ? undefined : setTimeout(end, withinMs)
  const run = async (): Promise<T> => {
    await endpoint.verify()
    await endpoint.lag.untilLikely(need.height)
    return await ask(own)
  }
  asked?.add(endpoint.name)
  try {
    const answer = await unlessAborted(run(), signal)
    endpoint.succeeded(need, performance.now() - startedMs)
    return answer
  } catch (caught) {
    if (isLate) {
      endpoint.wasSlow(what, 2)
      const message = `no answer within ${withinMs} ms`
      throw endpoint.note(new AppError('DEADLINE_EXCEEDED', message, { retryable: true }), need)
    }
    // Its other calls end too.
    ending.abort()
    throw hasCode(caught, 'ABORTED') ? caught : endpoint.note(caught, need)
  } finally {
    clearTimeout(timer)
    asked?.delete(endpoint.name)
    ending.unlink()
  }
}

/** A call that takes longer than this is asked of a second endpoint as well. */
export const HEDGE_MS = 2_000
const TIMES_USUAL = 5
/** After this many times as long, the round ends although all endpoints are being asked. */
const TIMES_HEDGE = 10

/** How long the first endpoint has before the second one is asked too: several times what the fastest one usually takes. */
const findHedgeMs = (candidates: readonly Endpoint[], need: Need): number => {
  const { what = need.kept, hedgeMs = HEDGE_MS } = need
  const usual = candidates.map((each) => each.usualMs(what) ?? Number.POSITIVE_INFINITY)
  const fastestMs = Math.min(...usual)
  const turnMs = candidates[0]?.turnMs() ?? 0
  return Math.max(hedgeMs, Number.isFinite(fastestMs) ? TIMES_USUAL * fastestMs : 0) + 2 * turnMs
}

const late = Symbol('late')

/** The first outcome, or `late` after this time. */
const firstWithin = async <T>(
  outcomes: Iterable<Promise<T>>,
  ms: number,
): Promise<T | typeof late> => {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<typeof late>((resolve) => {
    if (Number.isFinite(ms)) timer = setTimeout(() => resolve(late), ms)
  })
  try {
    return await Promise.race([...outcomes, over])
  } finally {
    clearTimeout(timer)
  }
}

const tookTooLong = (seconds: number): AppError =>
  new AppError('DEADLINE_EXCEEDED', `has not finished its answer after ${seconds} s`, {
    retryable: true,
  })

/**
 * Asks the candidates in order, the next one if one fails or takes much longer than usual; the first answer counts. Throws the
 * combined error if none could answer. An endpoint that is alone has all the time that its bytes need.
 */
export async function askInTurn<T>(
  endpoints: readonly Endpoint[],
  need: Need,
  ask: (endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  type Outcome = { endpoint: Endpoint } & ({ answer: T } | { error: unknown })
  const candidates = candidatesFor(endpoints, need)
  const { what = need.kept, round = 1 } = need
  const hedgeMs = findHedgeMs(candidates, need)
  const lastMs =
    candidates.length < 2
      ? Number.POSITIVE_INFINITY
      : hedgeMs * TIMES_HEDGE * 2 ** Math.min(round - 1, 8)
  const failures: Failure[] = []
  const running = new Map<Endpoint, Promise<Outcome>>()
  const ending = linkedAbort(need.signal)
  const start = (endpoint: Endpoint) => {
    const asking = askOne(endpoint, { ...need, signal: ending.signal }, ask)
    running.set(
      endpoint,
      asking.then(
        (answer) => ({ endpoint, answer }),
        (error: unknown) => ({ endpoint, error }),
      ),
    )
  }
  try {
    for (;;) {
      const next = candidates.shift()
      if (next) start(next)
      if (running.size === 0) throw summarizeFailures(failures, endpoints, need)
      const waitMs = candidates.length > 0 ? hedgeMs : lastMs
      const outcome = await firstWithin(running.values(), waitMs)
      if (outcome === late) {
        if (candidates.length > 0) continue
        // The first one holds what the others may wait for, such as memory.
        const [slowest] = running.keys()
        slowest?.wasSlow(what)
        const error = tookTooLong(Math.round(lastMs / 1_000))
        for (const endpoint of running.keys()) failures.push({ endpoint, error })
        throw summarizeFailures(failures, endpoints, need)
      }
      running.delete(outcome.endpoint)
      if ('error' in outcome) {
        if (hasCode(outcome.error, 'ABORTED')) throw outcome.error
        failures.push({ endpoint: outcome.endpoint, error: outcome.error as AppError })
        continue
      }
      const askedBefore = [...running.keys()].filter((each) => each !== next)
      for (const each of askedBefore) each.wasSlow(what)
      return outcome.answer
    }
  } finally {
    if (running.size > 0) ending.abort()
    ending.unlink()
  }
}

/** Nodes behind one URL may be so far apart: a claim that they do not have is no fault. */
const TOLERATED_LEAP = 10

type Claim = { endpoint: Endpoint; status: NodeStatus }

/** Whether an endpoint has a height that it claims. One that has not is lowered, and blamed for a large leap. */
const hasHeight = async (
  { endpoint, status }: Claim,
  height: number,
  signal: AbortSignal | undefined,
): Promise<boolean> => {
  if (endpoint.known.served >= height) return true
  const need = { kept: 'block', height, what: 'commit', withinMs: HEDGE_MS, signal } as const
  try {
    await askOne(endpoint, need, (each) => each.call('commit', { height: String(height) }))
    return true
  } catch (error) {
    // Any other failure says nothing about the height.
    if (!(error instanceof AppError && isNotYet(error))) return !hasCode(error, 'ABORTED')
    endpoint.lowerTip(height - 1)
    if (status.latestHeight - height < TOLERATED_LEAP) return false
    const claim = `claims height ${status.latestHeight}, but does not have height ${height}`
    endpoint.note(invalidResponse(claim, error))
    return false
  }
}

/** The highest status. One beyond all others counts only if its endpoint has the first height beyond them. */
const findBest = async (
  claims: readonly Claim[],
  signal: AbortSignal | undefined,
): Promise<NodeStatus | undefined> => {
  const [first, second, ...others] = claims.toSorted(
    (a, b) => b.status.latestHeight - a.status.latestHeight,
  )
  if (!first || !second) return first?.status
  const next = second.status.latestHeight + 1
  if (first.status.latestHeight < next || (await hasHeight(first, next, signal)))
    return first.status
  return await findBest([second, ...others], signal)
}

/** Asks all endpoints at once, waits briefly for the slower ones, and returns the highest tip. */
export async function askAllForStatus(
  endpoints: readonly Endpoint[],
  options: {
    graceMs: number
    toleranceBlocks: number
    clock: Clock
    order?: number | undefined
    signal?: AbortSignal | undefined
  },
): Promise<NodeStatus> {
  const { graceMs, toleranceBlocks, clock, order, signal } = options
  const claims: Claim[] = []
  const failures: Failure[] = []
  const over = new AbortController()
  const rested = endpoints.filter((endpoint) => !endpoint.isCooling())
  const requests = (rested.length > 0 ? rested : endpoints).map(async (endpoint) => {
    try {
      claims.push({ endpoint, status: await endpoint.refresh(order) })
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
  const best = await findBest([...claims], signal)
  if (!best) {
    const aborted = failures.find(({ error }) => error.code === 'ABORTED')
    throw aborted?.error ?? summarizeFailures(failures, endpoints)
  }
  for (const endpoint of endpoints) endpoint.compareTip(best.latestHeight, toleranceBlocks)
  return { ...best, earliestHeight: Math.min(...claims.map(({ status }) => status.earliestHeight)) }
}
