// Counts what one endpoint granted and refused: in all, and in the last minute.
import type { Clock } from '../../../infra/base/runtime/clock.ts'

export type RequestCounts = {
  grant(): void
  refuse(): void
  read(): {
    granted: number
    refused: number
    /** Over the last ten seconds. */
    grantedPerSecond: number
    /** Of the last minute, from 0 to 1; null without a request. */
    refusedShare: number | null
  }
}

const SHARE_SECONDS = 60
const RATE_SECONDS = 10

export const createRequestCounts = (clock: Clock): RequestCounts => {
  const total = { granted: 0, refused: 0 }
  const seconds: { second: number; granted: number; refused: number }[] = []
  const readSecond = () => Math.floor(clock.now() / 1_000)
  const forget = (now: number) => {
    while (seconds[0] && seconds[0].second <= now - SHARE_SECONDS) seconds.shift()
  }
  const count = (kind: 'granted' | 'refused') => {
    const now = readSecond()
    forget(now)
    const last = seconds.at(-1)
    const current = last?.second === now ? last : { second: now, granted: 0, refused: 0 }
    if (current !== last) seconds.push(current)
    current[kind]++
    total[kind]++
  }
  return {
    grant: () => count('granted'),
    refuse: () => count('refused'),
    read: () => {
      const now = readSecond()
      forget(now)
      let granted = 0
      let refused = 0
      let recent = 0
      for (const each of seconds) {
        granted += each.granted
        refused += each.refused
        // The current second is not over.
        if (each.second >= now - RATE_SECONDS && each.second < now) recent += each.granted
      }
      const all = granted + refused
      return {
        ...total,
        grantedPerSecond: recent / RATE_SECONDS,
        refusedShare: all === 0 ? null : refused / all,
      }
    },
  }
}
