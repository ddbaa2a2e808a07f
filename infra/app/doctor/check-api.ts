// Checks the services as users and operators see them: the API's responses, their freshness, the readiness of each part.
import { createAreaFindings, type Finding } from './finding.ts'

type Health = {
  status?: string
  freshnessSeconds?: number | null
  chain?: { height: number } | null
}
type Answer<Body> = { status: number; body: Partial<Body> } | { failure: string }

/** Why there was no response: `fetch` has the reason in the cause. */
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

/** Only the host is named: the path of the address may be a secret. */
export const checkApi = async (url: string, signal: AbortSignal): Promise<Finding> => {
  const { ok, warning, problem } = createAreaFindings('api')
  const { host } = new URL(url)
  const health = await ask<Health>(url, '/api/health', signal)
  if ('failure' in health) {
    return problem(`${host} does not answer: ${health.failure}`, 'start it, or look at its log')
  }
  const { status, freshnessSeconds, chain } = health.body
  const served = `${host} serves height ${chain?.height ?? '-'}, ${freshnessSeconds ?? '?'} s old`
  if (health.status !== 200 || status === undefined) {
    return problem(`${host} answers /api/health with ${health.status}`, 'is this the API?')
  }
  if (status === 'ok') return ok(served)
  return status === 'catching_up'
    ? warning(`${served}: it is catching up`, 'wait; the chain and the event log say how long')
    : warning(
        `${served}: ${status}`,
        'the findings on the chain, the event log and the store say why',
      )
}

export const checkReady = async (url: string, signal: AbortSignal): Promise<Finding> => {
  const { ok, warning, problem } = createAreaFindings('services')
  const ready = await ask<{ ready: boolean; reasons: string[] }>(url, '/readyz', signal)
  if ('failure' in ready) {
    return problem(`the operators' port does not answer: ${ready.failure}`, 'look at its log')
  }
  const { reasons = [] } = ready.body
  return ready.body.ready
    ? ok('every part is ready')
    : warning(`not ready: ${reasons.join('; ')}`, 'wait, or look at the log of that part')
}
