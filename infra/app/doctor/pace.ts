// Finds the rate of requests that an endpoint answers: a few seconds with a rising rate, until the first refusal.
import type { Clock } from '../../base/runtime/clock.ts'

export type PaceFact = {
  /** The most requests answered within one second. */
  perSecond: number
  requests: number
  /** From the first request to the last answer. */
  seconds: number
  medianMs: number
  /** The reason why the probe stopped early. */
  stopped?: { reason: string; isRefusal: boolean; retryAfterSeconds?: number }
}

type PacePlan = {
  firstPerSecond: number
  lastPerSecond: number
  seconds: number
  maxInFlight: number
}

/** 48 requests in all. */
export const PACE_PLAN: PacePlan = {
  firstPerSecond: 2,
  lastPerSecond: 30,
  seconds: 3,
  maxInFlight: 6,
}

export type PaceAnswer =
  | { ok: true }
  | { ok: false; reason: string; isRefusal: boolean; retryAfterSeconds?: number }

/** The seconds after which so many requests have started: the rate rises in a straight line. */
const toStart = (count: number, { firstPerSecond, lastPerSecond, seconds }: PacePlan): number => {
  const slope = (lastPerSecond - firstPerSecond) / seconds
  return (Math.sqrt(firstPerSecond ** 2 + 2 * slope * count) - firstPerSecond) / slope
}

const mostWithinASecond = (times: readonly number[]): number =>
  Math.max(0, ...times.map((end) => times.filter((at) => at <= end && at > end - 1000).length))

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

/** After a refusal nothing more is sent. */
export const probePace = async (
  ask: () => Promise<PaceAnswer>,
  { clock, signal, plan = PACE_PLAN }: { clock: Clock; signal: AbortSignal; plan?: PacePlan },
): Promise<PaceFact> => {
  const startedMs = clock.now()
  const answeredMs: number[] = []
  const tookMs: number[] = []
  const inFlight = new Set<Promise<void>>()
  let requests = 0
  let stopped: PaceFact['stopped']
  const send = async () => {
    const sentMs = clock.now()
    requests++
    const answer = await ask()
    if (answer.ok) {
      answeredMs.push(clock.now())
      tookMs.push(clock.now() - sentMs)
    } else {
      const { ok, ...reason } = answer
      stopped ??= reason
    }
  }
  const isOver = () => stopped !== undefined || clock.now() - startedMs >= plan.seconds * 1000
  for (let next = 0; toStart(next, plan) < plan.seconds && !isOver(); next++) {
    const waitMs = startedMs + toStart(next, plan) * 1000 - clock.now()
    if (waitMs > 0) await clock.sleep(waitMs, signal)
    while (inFlight.size >= plan.maxInFlight) await Promise.race(inFlight)
    if (isOver()) break
    const sending: Promise<void> = send().finally(() => inFlight.delete(sending))
    inFlight.add(sending)
  }
  await Promise.all(inFlight)
  return {
    perSecond: mostWithinASecond(answeredMs),
    requests,
    seconds: (clock.now() - startedMs) / 1000,
    medianMs: Math.round(median(tookMs)),
    ...(stopped ? { stopped } : {}),
  }
}
