// The only loop that repeats a read of the chain: round after round over the endpoints, until one answers, all of them say that none
// can, or the budget is spent.
import { abortedError, linkedAbort, onAbort } from '../../../infra/base/runtime/abort.ts'
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import { policies } from '../../../infra/base/runtime/policies.ts'
import { getRepeatedWarnings } from '../../../infra/base/runtime/repeated-warnings.ts'
import { delayAfter } from '../../../infra/base/runtime/retry.ts'
import { askInTurn, type Need } from './ask-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { type HoldingRead, isSaid, type NodeHealth } from './endpoint-health.ts'
import type { Patience } from './node.ts'

export type ReadOptions<T> = Need &
  Patience & {
    /** By default all. */
    endpoints?: readonly Endpoint[]
    /** Also repeated, without a limit, after these answers of all endpoints: indexing cannot go on without another one. */
    waitsFor?: readonly AppError['code'][] | undefined
    /** Checks or replaces the answer; its error ends the round. */
    accept?: (answer: T) => Promise<T>
    /** Reports nothing: the fault of each endpoint is reported anyway. */
    isSilent?: boolean
    /** One round, whatever its error: the reader has another way. */
    isOnce?: boolean
  }

/** A read without a limit of time holds the pipeline: `/readyz` names it. No other one is named there. */
export type Ring = {
  /** Asks one endpoint after the other. */
  read<T>(options: ReadOptions<T>, ask: (endpoint: Endpoint) => Promise<T>): Promise<T>
  /** Repeats a round of any kind. */
  repeat<T>(options: ReadOptions<T>, round: (need: Need) => Promise<T>): Promise<T>
}

export type RingOptions = {
  endpoints: readonly Endpoint[]
  settings: { retryBudgetMs: number; outageAfterMs: number; hedgeAfterMs: number }
  clock: Clock
  logger: Logger
  health: NodeHealth
  signal: AbortSignal
}

/** How often all endpoints refuse a height before it counts as pruned: another node behind the same URL may have it. */
const PRUNED_ROUNDS = { usual: 3, nearTip: 8, mixed: 12 }
/** No node prunes so soon, unless it keeps almost nothing. */
const NEAR_TIP = 20

/** Whether so many refusals by all endpoints are believed. */
const isBelieved = (endpoints: readonly Endpoint[], { kept, height }: Need, rounds: number) => {
  const asked = endpoints.filter(({ known }) => !known.isOfAnotherChain)
  if (asked.every(({ windows }) => windows[kept].isProved(height))) return true
  const isMixed = asked.some(({ windows }) => windows[kept].isMixed())
  const isNearTip = asked.some(({ known }) => known.tip > 0 && height > known.tip - NEAR_TIP)
  if (isMixed) return rounds >= PRUNED_ROUNDS.mixed
  return rounds >= (isNearTip ? PRUNED_ROUNDS.nearTip : PRUNED_ROUNDS.usual)
}

type Round = { error: AppError; rounds: number; refusals: number; spentMs: number }

/** The pause before the next round; undefined if there is none. `ownMs`: the budget that the reader gave, if any. */
const findPause = (
  options: Pick<ReadOptions<never>, 'waitsFor' | 'isOnce'> &
    Need & { budgetMs: number; ownMs: number | undefined },
  endpoints: readonly Endpoint[],
  { error, rounds, refusals, spentMs }: Round,
): number | undefined => {
  if (options.isOnce) return undefined
  if (error.code === 'HEIGHT_UNAVAILABLE' && !isBelieved(endpoints, options, refusals)) {
    const { budgetMs, ...pausing } = policies.prunedHeight
    const delayMs = delayAfter(refusals, pausing)
    if (spentMs + delayMs <= Math.min(budgetMs, options.ownMs ?? budgetMs)) return delayMs
  }
  if (options.waitsFor?.includes(error.code)) return delayAfter(rounds, policies.refusedHeight)
  if (!error.retryable || endpoints.length === 0) return undefined
  const delayMs = delayAfter(rounds, policies.chainRead())
  return spentMs + delayMs <= options.budgetMs ? delayMs : undefined
}

/** Reads are asked in the order in which they began. */
let orders = 0

export function createRing({
  settings,
  clock,
  logger,
  health,
  signal,
  ...ring
}: RingOptions): Ring {
  const warnings = getRepeatedWarnings(logger)
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

  const repeat: Ring['repeat'] = async (options, ask) => {
    const { endpoints = ring.endpoints, what = options.kept, height, waitsFor, isSilent } = options
    const budgetMs = waitsFor
      ? Number.POSITIVE_INFINITY
      : (options.budgetMs ?? settings.retryBudgetMs)
    const ending = linkedAbort(signal)
    const unlink = onAbort(options.signal, () => ending.abort(options.signal?.reason))
    const asked = new Set<string>()
    const { outageAfterMs } = settings
    const holding: HoldingRead = { what, height, asked, error: null, outageAfterMs }
    const holds = budgetMs === Number.POSITIVE_INFINITY && !isSilent
    const end = holds ? health.begin(holding) : undefined
    const need = {
      ...options,
      order: options.order ?? ++orders,
      hedgeMs: settings.hedgeAfterMs,
      asked,
      signal: ending.signal,
    }
    const runRound = async (round: number) => {
      const answer = await ask({ ...need, round })
      return options.accept ? await options.accept(answer) : answer
    }
    const startedMs = clock.now()
    let refusals = 0
    try {
      for (let rounds = 1; ; rounds++) {
        if (ending.signal.aborted) throw abortedError(ending.signal)
        try {
          return await runRound(rounds)
        } catch (error) {
          if (!(error instanceof AppError) || error.code === 'ABORTED') throw error
          if (error.code === 'HEIGHT_UNAVAILABLE') refusals++
          const spentMs = clock.now() - startedMs
          const round = { error, rounds, refusals, spentMs }
          const limits = { budgetMs, ownMs: options.budgetMs, waitsFor }
          const delayMs = findPause({ ...need, ...limits }, endpoints, round)
          if (delayMs === undefined) throw error
          holding.error = error
          const isOutage =
            spentMs >= settings.outageAfterMs || (waitsFor !== undefined && isSaid(error))
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
    read: (options, ask) =>
      repeat(options, (need) => askInTurn(options.endpoints ?? ring.endpoints, need, ask)),
  }
}
