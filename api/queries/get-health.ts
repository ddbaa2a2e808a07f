// How fresh the answers are, from what is held in memory: asks nobody, so it answers also when the store is away.
import { API_PATHS, PATHS } from '../../auth/contract/service.ts'
import type { Health } from '../schemas/health.ts'
import type { Served } from '../served/served.ts'
import type { Freshness } from '../served/served-state.ts'
import { formatTime } from './values.ts'

const FRESH_SECONDS = 10

const statusOf = ({ seconds, isMoving, isHeard }: Freshness): Health['status'] => {
  if (!isHeard || seconds === null) return 'degraded'
  if (seconds <= FRESH_SECONDS) return 'ok'
  return isMoving ? 'catching_up' : 'degraded'
}

/** `baseUrl` is empty where links start with a slash. */
export const healthOf = (
  served: Served | undefined,
  freshness: Freshness,
  { version, baseUrl }: { version: string; baseUrl: string },
): Health => ({
  status: statusOf(freshness),
  version,
  chain: served
    ? { chainId: served.chainId, height: served.height, time: formatTime(served.timeMs) }
    : null,
  tip: served?.tip ?? null,
  lagEvents: served?.lagEvents ?? null,
  freshnessSeconds: freshness.seconds,
  links: {
    openapi: baseUrl + API_PATHS.openapi,
    mcp: baseUrl + PATHS.mcp,
    authMd: baseUrl + PATHS.authMd,
    apiCatalog: baseUrl + API_PATHS.apiCatalog,
  },
})
