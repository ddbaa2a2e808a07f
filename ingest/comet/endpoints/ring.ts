// The only loop that repeats a read of the chain: round after round over the endpoints, the best one first, until one answers, all of
// them say that none can, or the budget is spent.
import {
  abortedError,
  linkedAbort,
  onAbort,
  unlessAborted,
} from '../../../infra/base/runtime/abort.ts'
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import { policies } from '../../../infra/base/runtime/policies.ts'
import { getRepeatedWarnings } from '../../../infra/base/runtime/repeated-warnings.ts'
import { delayAfter } from '../../../infra/base/runtime/retry.ts'
import { isNotYet } from '../transport/rpc.ts'
import { type Endpoint, type Request, withOptions } from './endpoint.ts'
import { type HoldingRead, isSaid, type NodeHealth } from './endpoint-health.ts'
import type { Patience } from './node.ts'

export type ReadOptions<T> = Request &
  Patience & {
    /** By default all. */
    endpoints?: readonly Endpoint[]
    /** Preferred over other endpoints of the same health, at any latency. */
    preferred?: Endpoint | undefined
    /** One endpoint has this long, whatever it sends meanwhile. */
    withinMs?: number
    /** Also repeated, without a limit, after these answers of all endpoints: indexing cannot go on without another one. */
    waitsFor?: readonly AppError['code'][] | undefined
    /** Checks or replaces the answer; its error ends the round. */
    accept?: (answer: T) => Promise<T>
    /** Reports nothing: the fault of each endpoint is reported anyway. */
    isSilent?: boolean
    /** One round, unless the endpoint limits requests: the reader has another way. */
    isOnce?: boolean
  }

/** What one round needs from an endpoint. */
export type Need = Omit<ReadOptions<never>, 'accept' | 'budgetMs'> & {
  /** Its place in the turn of each endpoint. */
  order?: number
  /** The round of this read, from 1 on: later ones wait longer. */
  round?: number
  /** Receives the names of the endpoints while they are asked. */
  asked?: Set<string>
}

export type Ring = ReturnType<typeof createRing>

export type RingOptions = {
  endpoints: readonly Endpoint[]
  settings: { retryBudgetMs: number; outageAfterMs: number; hedgeAfterMs: number }
  clock: Clock
  logger: Logger
  health: NodeHealth
  signal: AbortSignal
}

/** Proofs and light blocks are worth less than a delay: one short attempt per endpoint. */
export const PROOF = { what: 'proof', withinMs: 3_000, isOnce: true, budgetMs: 0 } as const
/** How long to wait for a second endpoint. */
export const WITNESS_GRACE_MS = 3_000
/** Of several blocks at once: how long they take says nothing about one. */
export const RANGE = { kept: 'block', what: 'blocks' } as const

/** More than the penalty of any latency class, less than the penalty of one failure. */
const PREFERENCE = 50

/** Lower is better. Coarse latency classes prevent two equal endpoints from alternating. */
const scoreEndpoint = (endpoint: Endpoint, need: Need): number => {
  const { kept, height, what = kept, preferred } = need
  const { known } = endpoint
  const hasNot = what === 'block' && known.discardsResults
  const lacks = hasNot || endpoint.windows[kept].lacks(height) ? 10_000 : 0
  const behind = known.tip > 0 && known.tip < height ? 1_000 : 0
  const slow = endpoint.slowness(what) > 0 ? 900 : 0
  const failures = Math.min(known.failures, 9) * 100
  const expectedMs = (endpoint.usualMs(what) ?? 0) + endpoint.turnMs()
  const latency = Math.round(Math.log2(expectedMs + 8))
  const preference = endpoint.name === preferred?.name ? PREFERENCE : 0
  return lacks + behind + slow + failures + latency - preference
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

export type EndpointFailure = { endpoint: Endpoint; error: AppError }

/** True if an endpoint did not answer in time. */
function isTimeout(error: AppError): boolean {
  return error.code === 'DEADLINE_EXCEEDED' || hasCode(error.cause, 'DEADLINE_EXCEEDED')
}

const findFinal = (failures: readonly EndpointFailure[]): EndpointFailure | undefined => {
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
export function summarizeFailures(
  failures: readonly EndpointFailure[],
  endpoints: readonly Endpoint[],
  { kept, height }: Need,
): AppError {
  const final = findFinal(failures)
  const hasFinalAnswer = (endpoint: Endpoint) =>
    endpoint.known.isOfAnotherChain ||
    (kept === 'state' && endpoint.isGivenUp()) ||
    endpoint.known.fault === final?.error.code ||
    (final?.error.code === 'HEIGHT_UNAVAILABLE' && endpoint.windows[kept].hasRefused(height)) ||
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
  const { withinMs, order, what = need.kept, asked } = need
  const ending = linkedAbort(need.signal)
  const { signal } = ending
  const own = withOptions(endpoint, { signal, order })
  const startedMs = performance.now()
  let isLate = false
  const end = () => {
    isLate = true
    ending.abort()
  }
  const timer = withinMs === undefined ? undefined : setTimeout(end, withinMs)
  const run = async (): Promise<T> => {
    await endpoint.verify()
    await endpoint.untilLikely(need.height)
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
const findHedgeMs = (candidates: readonly Endpoint[], need: Need, leastMs: number): number => {
  const { what = need.kept } = need
  const usual = candidates.map((each) => each.usualMs(what) ?? Number.POSITIVE_INFINITY)
  const fastestMs = Math.min(...usual)
  const turnMs = candidates[0]?.turnMs() ?? 0
  return Math.max(leastMs, Number.isFinite(fastestMs) ? TIMES_USUAL * fastestMs : 0) + 2 * turnMs
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
 * One round: asks the candidates in order, the next one if one fails or takes much longer than usual; the first answer counts. Throws
 * the combined error if none could answer. An endpoint that is alone has all the time that its bytes need.
 */
async function askInTurn<T>(
  endpoints: readonly Endpoint[],
  need: Need & { hedgeAfterMs: number },
  ask: (endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  type Outcome = { endpoint: Endpoint } & ({ answer: T } | { error: unknown })
  const candidates = candidatesFor(endpoints, need)
  const { what = need.kept, round = 1 } = need
  const hedgeMs = findHedgeMs(candidates, need, need.hedgeAfterMs)
  const lastMs =
    candidates.length < 2
      ? Number.POSITIVE_INFINITY
      : hedgeMs * TIMES_HEDGE * 2 ** Math.min(round - 1, 8)
  const failures: EndpointFailure[] = []
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

/** So often all endpoints refuse a height before it counts as pruned, without a proof: another node behind the same URL may have it. */
const PRUNED_ROUNDS = 12

/** Whether so many refusals by all endpoints are believed. */
const isBelieved = (
  endpoints: readonly Endpoint[],
  { kept, height }: Request,
  refusals: number,
): boolean =>
  refusals >= PRUNED_ROUNDS ||
  endpoints.every(({ known, windows }) => known.isOfAnotherChain || windows[kept].isProved(height))

type Round = { error: AppError; rounds: number; refusals: number; spentMs: number }

/** The pause before the next round; undefined if there is none. */
const findPause = <T>(
  options: ReadOptions<T> & { limitMs: number },
  endpoints: readonly Endpoint[],
  { error, rounds, refusals, spentMs }: Round,
): number | undefined => {
  if (options.isOnce && error.code !== 'RPC_LIMITED') return undefined
  if (error.code === 'HEIGHT_UNAVAILABLE' && !isBelieved(endpoints, options, refusals)) {
    const { budgetMs, ...pausing } = policies.prunedHeight
    const delayMs = delayAfter(refusals, pausing)
    if (spentMs + delayMs <= Math.min(budgetMs, options.budgetMs ?? budgetMs)) return delayMs
  }
  if (options.waitsFor?.includes(error.code)) return delayAfter(rounds, policies.refusedHeight)
  if (!error.retryable || endpoints.length === 0) return undefined
  const policy = hasNotYet(error) ? policies.nextHeight : policies.chainRead()
  const delayMs = delayAfter(rounds, policy)
  return spentMs + delayMs <= options.limitMs ? delayMs : undefined
}

/** The nodes behind a URL are not equally far. */
const hasNotYet = ({ cause }: AppError): boolean => cause instanceof AppError && isNotYet(cause)

/** Reads are asked in the order in which they began. */
let orders = 0

/** A read without a limit of time holds the pipeline: `/readyz` names it. No other one is named there. */
export function createRing({ settings, clock, logger, health, signal, ...ring }: RingOptions) {
  const warnings = getRepeatedWarnings(logger)
  const { outageAfterMs, hedgeAfterMs } = settings
  const warn = (read: HoldingRead, rounds: number, error: AppError) =>
    warnings[isSaid(error) ? 'error' : 'warn']({
      key: `waited ${read.what} ${error.code}`,
      fields: {
        what: read.what,
        ...(read.height > 0 ? { height: read.height } : {}),
        attempt: rounds,
        fault: error.code,
        reason: error.message,
      },
      message: 'waited for an endpoint',
    })

  /** Repeats a round of any kind. */
  const repeat = async <T>(
    options: ReadOptions<T>,
    runRound: (need: Need) => Promise<T>,
  ): Promise<T> => {
    const { endpoints = ring.endpoints, what = options.kept, height, waitsFor, isSilent } = options
    const limitMs = waitsFor
      ? Number.POSITIVE_INFINITY
      : (options.budgetMs ?? settings.retryBudgetMs)
    const ending = linkedAbort(signal)
    const unlink = onAbort(options.signal, () => ending.abort(options.signal?.reason))
    const asked = new Set<string>()
    const holding: HoldingRead = { what, height, asked, error: null, outageAfterMs }
    const holds = limitMs === Number.POSITIVE_INFINITY && !isSilent
    const end = holds ? health.begin(holding) : undefined
    const { accept, ...need } = { ...options, order: ++orders, asked, signal: ending.signal }
    const startedMs = clock.now()
    let refusals = 0
    try {
      for (let rounds = 1; ; rounds++) {
        if (ending.signal.aborted) throw abortedError(ending.signal)
        try {
          const answer = await runRound({ ...need, round: rounds })
          return accept ? await accept(answer) : answer
        } catch (error) {
          if (!(error instanceof AppError) || error.code === 'ABORTED') throw error
          if (error.code === 'HEIGHT_UNAVAILABLE') refusals++
          const spentMs = clock.now() - startedMs
          const round = { error, rounds, refusals, spentMs }
          const delayMs = findPause({ ...options, limitMs }, endpoints, round)
          if (delayMs === undefined) throw error
          holding.error = error
          const isOutage = spentMs >= outageAfterMs || (waitsFor !== undefined && isSaid(error))
          if (isOutage && !isSilent) warn(holding, rounds, error)
          await clock.sleep(delayMs, ending.signal)
        }
      }
    } finally {
      end?.()
      ending.unlink()
      unlink()
    }
  }
  return {
    repeat,
    /** Asks one endpoint after the other. */
    read: <T>(options: ReadOptions<T>, ask: (endpoint: Endpoint) => Promise<T>): Promise<T> =>
      repeat(options, (need) =>
        askInTurn(options.endpoints ?? ring.endpoints, { ...need, hedgeAfterMs }, ask),
      ),
  }
}
