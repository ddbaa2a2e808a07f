// Checks the services from outside: the responses of the API, their freshness, the readiness of each service.
import { durationText } from '../terminal/progress.ts'
import { createAreaFindings, type Finding } from './finding.ts'

type Health = {
  status?: string
  freshnessSeconds?: number | null
  tip?: number | null
  /** Absent in earlier versions. */
  behind?: { heights: number | null; seconds: number | null }
  chain?: { chainId: string; height: number; demo?: true } | null
  limitations?: { message: string; since: number; reason: string }[]
}
type Answer<Body> = { status: number; body: Partial<Body> } | { failure: string }

/** The reason of a failed request: `fetch` has it in the cause. */
export const failureText = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause, message } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

const ask = async <Body>(
  base: string,
  path: string,
  signal: AbortSignal,
): Promise<Answer<Body>> => {
  try {
    const response = await fetch(new URL(path, base), { signal })
    return { status: response.status, body: (await response.json()) as Partial<Body> }
  } catch (error) {
    if (signal.aborted) throw error
    return { failure: failureText(error) }
  }
}

const servedText = ({ chain, tip, behind, freshnessSeconds }: Partial<Health>): string => {
  if (!chain) return 'serves no height yet'
  const { chainId, height, demo } = chain
  const goal = tip && tip > height ? ` of ${tip}` : ''
  const which = demo ? ` of ${chainId}, the recorded demo chain` : ''
  const age = behind?.seconds
    ? `${durationText(behind.seconds)} behind`
    : `${freshnessSeconds ?? '?'} s old`
  return `serves height ${height}${goal}${which}, ${age}`
}

const checkHealth = (host: string, health: Answer<Health>): Finding => {
  const { ok, warning, problem } = createAreaFindings('api')
  if ('failure' in health) {
    return problem(`${host} does not answer: ${health.failure}`, 'start it, or check its log')
  }
  const { status } = health.body
  const served = `${host} ${servedText(health.body)}`
  if (health.status !== 200 || status === undefined) {
    return problem(
      `${host} responds to /api/health with ${health.status}`,
      'check that this is the API',
    )
  }
  if (status === 'ok') return ok(served)
  return status === 'catching_up'
    ? warning(
        `${served}: it is catching up`,
        'wait; the findings on the chain and the event log show the progress',
      )
    : warning(`${served}: ${status}`, 'see the findings on the chain, the event log and the store')
}

const describeLimitations = ({ limitations = [] }: Partial<Health>): Finding[] => {
  const { warning } = createAreaFindings('api')
  return limitations.map(({ message, since, reason }) =>
    warning(`${message} Since height ${since}: ${reason}`, 'see ingest/README.md, limitations'),
  )
}

/** Names only the host: the path of the URL may be secret. */
export const checkApi = async (url: string, signal: AbortSignal): Promise<Finding[]> => {
  const health = await ask<Health>(url, '/api/health', signal)
  const finding = checkHealth(new URL(url).host, health)
  return 'failure' in health ? [finding] : [finding, ...describeLimitations(health.body)]
}

export const checkReady = async (url: string, signal: AbortSignal): Promise<Finding> => {
  const { ok, warning, problem } = createAreaFindings('services')
  const ready = await ask<{ ready: boolean; reasons: string[] }>(url, '/readyz', signal)
  if ('failure' in ready) {
    return problem(`the operator port does not answer: ${ready.failure}`, 'check its log')
  }
  const { reasons = [] } = ready.body
  return ready.body.ready
    ? ok('all services are ready')
    : warning(`not ready: ${reasons.join('; ')}`, 'wait, or check the log of that service')
}
