// Evaluates the conditions of infra/deploy/prometheus/rules.yml: active and resolved alerts. Pure.
import { hasReached, type Reached, type Reading, sumMetric } from './reading.ts'

export type AlertLevel = 'critical' | 'warning'

export type Alert = {
  level: AlertLevel
  text: string
  sinceMs: number
  /** Absent while the alert is active. */
  clearedMs?: number
}

type Condition = Pick<Alert, 'level' | 'text'>

export type AlertHistory = {
  /** Active alerts, then resolved ones, newest first. */
  update(readings: readonly Reading[], nowMs: number): readonly Alert[]
}

const MAX_KEPT = 50
const LED_SERVICES = ['ingest', 'projections'] as const

type Limit = { metric: string; above: number; level: AlertLevel; text: (value: number) => string }

/** The same as in the alert rules. */
export const LIMITS: readonly Limit[] = [
  {
    metric: 'rollcall_ingest_log_full',
    above: 0,
    level: 'critical',
    text: () => 'the log is full',
  },
  {
    metric: 'rollcall_ingest_log_refused',
    above: 0,
    level: 'critical',
    text: () => 'the log refuses appends',
  },
  {
    metric: 'rollcall_ingest_lag_blocks',
    above: 50,
    level: 'warning',
    text: (value) => `the log is ${value} heights behind the chain`,
  },
  {
    metric: 'rollcall_projections_lag_events',
    above: 5_000,
    level: 'warning',
    text: (value) => `${value} events of the log are not in ClickHouse yet`,
  },
  {
    metric: 'rollcall_projections_dead_letters',
    above: 0,
    level: 'critical',
    text: (value) => `${value} records of the log could not be decoded`,
  },
  {
    metric: 'rollcall_projections_differing_tallies',
    above: 0,
    level: 'critical',
    text: (value) => `${value} recomputed tallies differ from the chain's`,
  },
  {
    metric: 'rollcall_api_freshness_seconds',
    above: 10,
    level: 'critical',
    text: (value) => `responses are ${Math.round(value)} s behind`,
  },
]

const limitConditions = (reading: Reached, host: string): Condition[] =>
  LIMITS.flatMap(({ metric, above, level, text }) => {
    const value = sumMetric(reading, metric)
    return value === undefined || value <= above ? [] : [{ level, text: `${host}: ${text(value)}` }]
  })

const endpointConditions = ({ samples }: Reached, host: string): Condition[] =>
  samples
    .filter(({ name, value }) => name === 'rollcall_ingest_endpoint_healthy' && value === 0)
    .map(({ labels }) => ({
      level: 'warning',
      text: `${host}: the RPC endpoint ${labels['endpoint'] ?? ''} is unusable`,
    }))

const isStandby = (reading: Reached): boolean =>
  LED_SERVICES.some((service) => sumMetric(reading, `rollcall_${service}_leading`) === 0)

const readinessConditions = (reading: Reached, host: string): Condition[] => {
  if (reading.ready && isStandby(reading)) return []
  const level = reading.ready ? 'warning' : 'critical'
  const reasons =
    reading.reasons.length > 0 || reading.ready ? reading.reasons : ['no reason given']
  const prefix = reading.ready ? '' : 'not ready: '
  return reasons.map((reason) => ({ level, text: `${host}: ${prefix}${reason}` }))
}

const leaderConditions = (reached: readonly Reached[]): Condition[] =>
  LED_SERVICES.flatMap((service): Condition[] => {
    const states = reached.flatMap((each) => sumMetric(each, `rollcall_${service}_leading`) ?? [])
    const leading = states.filter((state) => state === 1).length
    if (states.length === 0 || leading === 1) return []
    const count =
      leading === 0 ? `no ${service} process leads` : `${leading} ${service} processes lead`
    return [{ level: 'critical', text: count }]
  })

export const conditionsIn = (readings: readonly Reading[]): Condition[] => {
  const own = readings.flatMap((reading): Condition[] => {
    const { host } = new URL(reading.url)
    if (!hasReached(reading)) {
      return [{ level: 'critical', text: `${host}: unreachable: ${reading.failure}` }]
    }
    return [
      ...readinessConditions(reading, host),
      ...limitConditions(reading, host),
      ...endpointConditions(reading, host),
    ]
  })
  return [...leaderConditions(readings.filter(hasReached)), ...own]
}

/** Identifies an alert by its text without numbers. */
const toConditionKey = ({ level, text }: Condition): string =>
  `${level} ${text.replace(/ \d+(?= )/g, ' #')}`

export const createAlertHistory = (): AlertHistory => {
  let active = new Map<string, Alert>()
  let cleared: Alert[] = []
  return {
    update: (readings, nowMs) => {
      const next = new Map<string, Alert>()
      for (const condition of conditionsIn(readings)) {
        const key = toConditionKey(condition)
        next.set(key, { ...condition, sinceMs: active.get(key)?.sinceMs ?? nowMs })
      }
      const over = [...active].filter(([key]) => !next.has(key))
      const newlyCleared = over.map(([, alert]) => ({ ...alert, clearedMs: nowMs }))
      cleared = [...newlyCleared, ...cleared].slice(0, MAX_KEPT)
      active = next
      const newestFirst = [...active.values()].toSorted((one, other) => other.sinceMs - one.sinceMs)
      return [...newestFirst, ...cleared]
    },
  }
}
