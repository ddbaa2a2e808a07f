// Reads readiness and metrics from one operator port.
import { failureText } from '../doctor/check-api.ts'
import { parseExposition, type Sample } from './exposition.ts'

export type Reached = {
  url: string
  atMs: number
  ready: boolean
  /** Reasons why it is not ready, or notes for operators. */
  reasons: readonly string[]
  samples: readonly Sample[]
}
export type Unreachable = { url: string; atMs: number; failure: string }
export type Reading = Reached | Unreachable

export const hasReached = (reading: Reading): reading is Reached => 'samples' in reading

/** `undefined` if the port does not have the metric. */
export const sumMetric = (
  { samples }: Reached,
  name: string,
  matches: (labels: Sample['labels']) => boolean = () => true,
): number | undefined => {
  const found = samples.filter((sample) => sample.name === name && matches(sample.labels))
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
}

const TIMEOUT_MS = 2_000

const readReasons = async (response: Response): Promise<string[]> => {
  const body: unknown = await response.json()
  const isObject = typeof body === 'object' && body !== null && 'reasons' in body
  if (!isObject || !Array.isArray(body.reasons)) {
    throw new Error(`/readyz responds with ${response.status}: is this an operator port?`)
  }
  return body.reasons.map(String)
}

/** Never rejects: an unreachable instance is a reading too. */
export const readInstance = async (url: string, signal: AbortSignal): Promise<Reading> => {
  const atMs = Date.now()
  const options = { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) }
  try {
    const [readyz, metrics] = await Promise.all([
      fetch(new URL('/readyz', url), options),
      fetch(new URL('/metrics', url), options),
    ])
    const reasons = await readReasons(readyz)
    if (!metrics.ok) throw new Error(`/metrics responds with ${metrics.status}`)
    return { url, atMs, ready: readyz.ok, reasons, samples: parseExposition(await metrics.text()) }
  } catch (error) {
    return { url, atMs, failure: failureText(error) }
  }
}
