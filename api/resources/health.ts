// `GET /api/health`: freshness of the data. It uses only memory, so it also works without the store.
import { API_PATHS, PATHS } from '../../auth/contract/service.ts'
import type { History } from '../../ingest/contract/history-events.ts'
import { LIMITATIONS } from '../../ingest/contract/limitations.ts'
import { type Freshness, isFollowing } from '../read/freshness.ts'
import { formatTime } from '../read/queries/values.ts'
import type { SnapshotSource } from '../read/snapshots.ts'
import { createAsOf } from '../schemas/common.ts'
import { Health } from '../schemas/health.ts'
import { describeHistory } from '../words/status.ts'
import type { Operation } from './operation.ts'
import { createItemTool, describeAsOf, listSentence } from './reading.ts'

const FRESH_SECONDS = 10

export const computeStatus = (freshness: Freshness): Health['status'] => {
  const { seconds, isMoving, isReachable, behind } = freshness
  if (!isReachable || seconds === null) return 'degraded'
  if (seconds <= FRESH_SECONDS && isFollowing(behind)) return 'ok'
  return isMoving && behind.heights !== null ? 'catching_up' : 'degraded'
}

export const health: Operation = {
  operationId: 'getHealth',
  path: '/api/health',
  tag: 'Service',
  summary: 'Get the health of the service',
  guide: 'the indexed height, and how far it is behind the chain',
  description:
    'Indexed height, and how far it is behind the chain. The status is 200 while the process runs, also without a database.',
  queryParameters: [],
  answer: Health,
  problems: ['bad-request'],
  kind: 'fresh',
  tool: createItemTool<Health>({
    name: 'get_service_status',
    title: 'Get the service status',
    description:
      'Returns the chain, the indexed height and the delay behind the chain. status is `ok` within 10 seconds and 5 heights, `catching_up` while it advances, else `degraded`.',
    lines: ({ status, chain, behind, limitations, history }) => [
      `Status ${status}.`,
      chain === null ? 'Nothing is indexed yet.' : describeAsOf(chain),
      `Heights behind the chain: ${behind.heights ?? 'not known'}.`,
      ...limitations.map(({ message }) => listSentence(message)),
      ...(history === null ? [] : [`History: ${describeHistory(history)}`]),
    ],
  }),
}

const toProgress = (history: History | null): Health['history'] => {
  if (history === null) return null
  const { total, done, unreachable, reason } = history
  return { total, done, unreachable, reason }
}

/** With an empty `baseUrl` links start with a slash. */
export const createHealth = ({
  snapshots,
  version,
  baseUrl,
}: {
  snapshots: SnapshotSource
  version: string
  baseUrl: string
}): Health => {
  const snapshot = snapshots.current()
  const freshness = snapshots.freshness()
  return {
    status: computeStatus(freshness),
    version,
    chain: snapshot
      ? createAsOf(snapshot.chainId, snapshot.height, formatTime(snapshot.timeMs))
      : null,
    tip: snapshot?.tip ?? null,
    behind: freshness.behind,
    catchUp: freshness.catchUp,
    lagEvents: snapshot?.lagEvents ?? null,
    freshnessSeconds: freshness.seconds,
    noBlockSince: freshness.silentSinceMs === null ? null : formatTime(freshness.silentSinceMs),
    limitations: (snapshot?.limitations ?? []).map(({ kind, since, reason }) => ({
      kind,
      since,
      message: LIMITATIONS[kind].message,
      reason,
    })),
    history: toProgress(snapshot?.history ?? null),
    links: {
      openapi: baseUrl + API_PATHS.openapi,
      mcp: baseUrl + PATHS.mcp,
      authMd: baseUrl + PATHS.authMd,
      apiCatalog: baseUrl + API_PATHS.apiCatalog,
    },
  }
}
