// `GET /api/health`: how fresh the answers are, from what is in memory. It asks nothing of the store, so it answers also when that is away.
import { API_PATHS, PATHS } from '../../auth/contract/service.ts'
import { formatTime } from '../read/queries/values.ts'
import type { Snapshot } from '../read/snapshot.ts'
import type { Freshness } from '../read/snapshots/snapshot-source.ts'
import { Health } from '../schemas/health.ts'
import type { Operation } from './operation.ts'

const FRESH_SECONDS = 10

const computeStatus = ({ seconds, isMoving, isReachable }: Freshness): Health['status'] => {
  if (!isReachable || seconds === null) return 'degraded'
  if (seconds <= FRESH_SECONDS) return 'ok'
  return isMoving ? 'catching_up' : 'degraded'
}

export const health: Operation = {
  operationId: 'getHealth',
  path: '/api/health',
  tag: 'Service',
  summary: 'How fresh the answers are',
  description: '200 while the process can answer, whatever else is the matter.',
  pathParameters: [],
  queryParameters: [],
  answer: Health,
  problems: ['bad-request'],
  kind: 'fresh',
}
/** `baseUrl` is empty where links start with a slash. */
export const createHealth = (
  snapshot: Snapshot | undefined,
  freshness: Freshness,
  { version, baseUrl }: { version: string; baseUrl: string },
): Health => ({
  status: computeStatus(freshness),
  version,
  chain: snapshot
    ? { chainId: snapshot.chainId, height: snapshot.height, time: formatTime(snapshot.timeMs) }
    : null,
  tip: snapshot?.tip ?? null,
  lagEvents: snapshot?.lagEvents ?? null,
  freshnessSeconds: freshness.seconds,
  links: {
    openapi: baseUrl + API_PATHS.openapi,
    mcp: baseUrl + PATHS.mcp,
    authMd: baseUrl + PATHS.authMd,
    apiCatalog: baseUrl + API_PATHS.apiCatalog,
  },
})
