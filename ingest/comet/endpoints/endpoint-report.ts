// What operators see of one endpoint: how fast it is asked, what it refuses, and from which height on it answers.
import type { PaceState } from '../transport/pace.ts'
import type { Window } from './window.ts'

/** One of `endpoints` in `/readyz`. */
export type EndpointReport = {
  /** Its host: the rest of a URL may be secret. */
  endpoint: string
  /** Requests that it granted per second, over the last ten seconds. */
  grantedPerSecond: number
  /** The most requests per second that it is sent now; null while it showed no limit. */
  limitPerSecond: number | null
  /** Of the requests in the last minute, from 0 to 1; null without a request. */
  refusedShare: number | null
  /** How long no request is sent after a refusal; null without a pause. */
  pauseSeconds: number | null
  /** The first block that it has; null while unknown. */
  earliestBlock: number | null
  /** The first state that it has, as far as it was asked; null while unknown. */
  earliestState: number | null
}

/** Refusals below this share belong to finding the limit. */
const NOTABLE_SHARE = 0.05
const NOTABLE_PAUSE_SECONDS = 5

const rounded = (value: number): number => Math.round(value * 10) / 10

type Observed = {
  name: string
  known: { tip: number; earliest: number }
  windows: Readonly<Record<'block' | 'state', Window>>
}

export const reportEndpoint = (
  { name, known, windows }: Observed,
  pace: PaceState,
): EndpointReport => ({
  endpoint: name,
  grantedPerSecond: rounded(pace.grantedPerSecond),
  limitPerSecond: pace.perSecond === null ? null : rounded(pace.perSecond),
  refusedShare: pace.refusedShare === null ? null : Math.round(pace.refusedShare * 1e4) / 1e4,
  pauseSeconds: pace.pausedMs === 0 ? null : rounded(pace.pausedMs / 1_000),
  earliestBlock: windows.block.earliest({ tip: known.tip, claimed: known.earliest }),
  earliestState: windows.state.earliest({ tip: known.tip }),
})

/** A sentence for operators if refusals slow it down; null otherwise. */
export const describeRefusals = (report: EndpointReport): string | null => {
  const { endpoint, refusedShare, limitPerSecond, pauseSeconds } = report
  const isPaused = (pauseSeconds ?? 0) >= NOTABLE_PAUSE_SECONDS
  if ((refusedShare ?? 0) < NOTABLE_SHARE && !isPaused) return null
  const parts = [`refuses ${Math.round((refusedShare ?? 0) * 100)} % of the requests`]
  if (limitPerSecond !== null) parts.push(`is asked at most ${limitPerSecond} times a second`)
  if (isPaused) parts.push(`is not asked for ${Math.ceil(pauseSeconds ?? 0)} s`)
  return `endpoint ${endpoint} limits requests: it ${parts.join(', ')}`
}
