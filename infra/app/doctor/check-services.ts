// Checks the services from outside: the responses of the API, their freshness, the readiness of each service, and the keys of each
// trusted identity provider.
import { readAuthConfig } from '../../../auth/config.ts'
import { guardedFetch } from '../../../auth/issuers/guarded-fetch.ts'
import { fetchIssuerKeys } from '../../../auth/issuers/issuer-keys.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { durationText } from '../terminal/progress.ts'
import { requestJson } from '../tools/rollcall-client.ts'
import { type Finding, inArea, ok, problem, warning } from './finding.ts'

type Health = {
  status?: string
  freshnessSeconds?: number | null
  tip?: number | null
  behind?: { heights: number | null; seconds: number | null }
  chain?: { chainId: string; height: number; demo?: true } | null
  limitations?: { message: string; since: number; reason: string }[]
}
type Answer<Body> = { status: number; body: Partial<Body> } | { failure: string }

const ask = async <Body>(
  path: string,
  base: string,
  signal: AbortSignal,
): Promise<Answer<Body>> => {
  try {
    const { status, body } = await requestJson(new URL(path, base), { signal })
    return { status, body: (body ?? {}) as Partial<Body> }
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error
    return { failure: error.message }
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

/** Names only the host: the path of the URL may be secret. */
export async function checkApi(url: string, signal: AbortSignal): Promise<Finding[]> {
  const { host } = new URL(url)
  const health = await ask<Health>('/api/health', url, signal)
  if ('failure' in health) {
    return [problem(`${host}: ${health.failure}`, 'start it, or check its log')]
  }
  const { status, limitations = [] } = health.body
  if (health.status !== 200 || status === undefined) {
    const message = `${host} responds to /api/health with ${health.status}`
    return [problem(message, 'check that this is the API')]
  }
  const served = `${host} ${servedText(health.body)}`
  const finding =
    status === 'ok'
      ? ok(served)
      : warning(
          `${served}: ${status === 'catching_up' ? 'it is catching up' : status}`,
          'see the findings on the chain, the event log and the store',
        )
  const limits = limitations.map(({ message, since, reason }) =>
    warning(`${message} Since height ${since}: ${reason}`, 'see ingest/CHAINS.md, limitations'),
  )
  return [finding, ...limits]
}

const readiness = async (url: string, signal: AbortSignal): Promise<Finding> => {
  const ready = await ask<{ ready: boolean; reasons: string[] }>('/readyz', url, signal)
  if ('failure' in ready) {
    return problem(`the operator port does not answer: ${ready.failure}`, 'check its log')
  }
  const { reasons = [] } = ready.body
  return ready.body.ready
    ? ok('all services are ready')
    : warning(`not ready: ${reasons.join('; ')}`, 'wait, or check the log of that service')
}

export async function checkReady(url: string, signal: AbortSignal): Promise<Finding[]> {
  return inArea('services', [await readiness(url, signal)])
}

/** The keys are fetched as auth fetches them. No findings without identity providers. */
export async function checkIssuers(env: Environment): Promise<Finding[]> {
  const { trustedIssuers, allowLoopbackIssuers: allowLoopback } = readAuthConfig(env)
  const fetchJson = (url: string) => guardedFetch(url, { allowLoopback })
  const checks = trustedIssuers.map(async (trusted) => {
    const { issuer } = trusted
    const fetched = await fetchIssuerKeys(trusted, fetchJson)
    if (fetched.ok) {
      const count = fetched.keys.jwks.keys.length
      return ok(`${issuer}: ${count} ${count === 1 ? 'key' : 'keys'} at ${fetched.url}`)
    }
    const remedy = `set TRUSTED_ISSUERS=${issuer}|<URL of its keys>`
    return fetched.isPermanent
      ? problem(`${issuer}: its ID-JAGs are refused: ${fetched.reason}`, remedy)
      : warning(`${issuer}: ${fetched.reason}`, 'try again; check the network and the issuer')
  })
  return await Promise.all(checks)
}
