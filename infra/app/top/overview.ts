// Computes heights, lag, rates, leaders and one row per service from two readings of every instance. Pure.
import { hasReached, type Reached, type Reading, sumMetric } from './reading.ts'

export type ServiceRow = {
  address: string
  /** Absent if the instance is unreachable. */
  service?: string
  state: string
  isHealthy: boolean
  height?: number | undefined
  /** Pending work: `12 events`. */
  queue?: string | undefined
  /** Current rate: `1.0 heights/s`. */
  rate?: string | undefined
}

export type Overview = {
  reached: number
  total: number
  tip: number | undefined
  appended: number | undefined
  projected: number | undefined
  served: number | undefined
  lagHeights: number | undefined
  lagEvents: number | undefined
  freshnessSeconds: number | undefined
  heightsPerSecond: number | undefined
  eventsPerSecond: number | undefined
  requestsPerSecond: number | undefined
  errorsPerSecond: number | undefined
  streamListeners: number | undefined
  /** `ingest at 127.0.0.1:9090`. */
  leaders: readonly string[]
  rows: readonly ServiceRow[]
}

/** The former and the current reading of an instance. */
type Pair = { now: Reached; before: Reached | undefined }
type Matches = Parameters<typeof sumMetric>[2]

type ServiceView = {
  name: string
  height?: string
  queue?: { metric: string; unit: string }
  rate: { metric: string; unit: string }
}

const SERVICES: readonly ServiceView[] = [
  {
    name: 'ingest',
    height: 'rollcall_ingest_appended_height',
    queue: { metric: 'rollcall_ingest_lag_blocks', unit: 'heights' },
    rate: { metric: 'rollcall_ingest_heights_total', unit: 'heights/s' },
  },
  {
    name: 'projections',
    height: 'rollcall_projections_height',
    queue: { metric: 'rollcall_projections_lag_events', unit: 'events' },
    rate: { metric: 'rollcall_projections_events_total', unit: 'events/s' },
  },
  {
    name: 'api',
    height: 'rollcall_api_served_height',
    rate: { metric: 'rollcall_api_answers_total', unit: 'req/s' },
  },
  { name: 'auth', rate: { metric: 'rollcall_auth_done_total', unit: 'writes/s' } },
]

/** Undefined without a former reading, or if the process was restarted in between. */
const computeRate = (
  { now, before }: Pair,
  metric: string,
  matches?: Matches,
): number | undefined => {
  const value = sumMetric(now, metric, matches)
  const seconds = before ? (now.atMs - before.atMs) / 1000 : 0
  if (!before || value === undefined || seconds <= 0) return undefined
  const change = value - (sumMetric(before, metric, matches) ?? 0)
  return change < 0 ? undefined : change / seconds
}

const highest = (pairs: readonly Pair[], metric: string): number | undefined => {
  const values = pairs.flatMap(({ now }) => sumMetric(now, metric) ?? [])
  return values.length === 0 ? undefined : Math.max(...values)
}

const total = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0)
}

const describeState = ({ now }: Pair, service: string): string => {
  if (!now.ready) return 'not ready'
  const leading = sumMetric(now, `rollcall_${service}_leading`)
  if (leading === undefined) return 'ready'
  return leading === 1 ? 'leads' : 'standby'
}

const toServiceRows = (pair: Pair): ServiceRow[] => {
  const { host: address } = new URL(pair.now.url)
  const present = SERVICES.filter(({ name }) =>
    pair.now.samples.some((sample) => sample.name.startsWith(`rollcall_${name}_`)),
  )
  if (present.length === 0) {
    const state = pair.now.ready ? 'ready' : 'not ready'
    return [{ address, state, isHealthy: pair.now.ready }]
  }
  return present.map(({ name, height, queue, rate }) => {
    const waiting = queue && sumMetric(pair.now, queue.metric)
    const perSecond = computeRate(pair, rate.metric)
    return {
      address,
      service: name,
      state: describeState(pair, name),
      isHealthy: pair.now.ready,
      height: height === undefined ? undefined : sumMetric(pair.now, height),
      queue: queue && waiting !== undefined ? `${waiting} ${queue.unit}` : undefined,
      rate: perSecond === undefined ? undefined : `${perSecond.toFixed(1)} ${rate.unit}`,
    }
  })
}

const toReadingRows = (reading: Reading, pairs: readonly Pair[]): ServiceRow[] => {
  const pair = pairs.find(({ now }) => now === reading)
  if (pair) return toServiceRows(pair)
  const failure = hasReached(reading) ? '' : reading.failure
  const { host: address } = new URL(reading.url)
  return [{ address, state: `unreachable: ${failure}`, isHealthy: false }]
}

const leadersIn = (rows: readonly ServiceRow[]): string[] =>
  rows.flatMap(({ state, service, address }) =>
    state === 'leads' ? [`${service} at ${address}`] : [],
  )

const isServerError: Matches = ({ status = '' }) => status.startsWith('5')

/** `before` may be empty, and may have fewer instances. */
export const createOverview = (before: readonly Reading[], now: readonly Reading[]): Overview => {
  const pairs = now.filter(hasReached).map((each): Pair => {
    const earlier = before.find(({ url }) => url === each.url)
    return { now: each, before: earlier && hasReached(earlier) ? earlier : undefined }
  })
  const totalRate = (metric: string, matches?: Matches) =>
    total(pairs.map((pair) => computeRate(pair, metric, matches)))
  const rows = now.flatMap((reading) => toReadingRows(reading, pairs))
  return {
    reached: pairs.length,
    total: now.length,
    tip: highest(pairs, 'rollcall_ingest_tip_height'),
    appended: highest(pairs, 'rollcall_ingest_appended_height'),
    projected: highest(pairs, 'rollcall_projections_height'),
    served: highest(pairs, 'rollcall_api_served_height'),
    lagHeights: highest(pairs, 'rollcall_ingest_lag_blocks'),
    lagEvents: highest(pairs, 'rollcall_projections_lag_events'),
    freshnessSeconds: highest(pairs, 'rollcall_api_freshness_seconds'),
    heightsPerSecond: totalRate('rollcall_ingest_heights_total'),
    eventsPerSecond: totalRate('rollcall_projections_events_total'),
    requestsPerSecond: totalRate('rollcall_api_answers_total'),
    errorsPerSecond: totalRate('rollcall_api_answers_total', isServerError),
    streamListeners: total(
      pairs.map((pair) => sumMetric(pair.now, 'rollcall_api_stream_listeners')),
    ),
    leaders: leadersIn(rows),
    rows,
  }
}
