// How fresh the answers are, from what is held in memory: asks nobody, so it answers also when the store is away.
import type { Health } from '../schemas/health.ts'
import type { Freshness, Served } from '../served-state.ts'
import { formatTime } from './values.ts'

const FRESH_SECONDS = 10

const statusOf = ({ seconds, isMoving, isHeard }: Freshness): Health['status'] => {
  if (!isHeard || seconds === null) return 'degraded'
  if (seconds <= FRESH_SECONDS) return 'ok'
  return isMoving ? 'catching_up' : 'degraded'
}

export const healthOf = (
  served: Served | undefined,
  freshness: Freshness,
  version: string,
): Health => ({
  status: statusOf(freshness),
  version,
  chain: served
    ? { chainId: served.chainId, height: served.height, time: formatTime(served.timeMs) }
    : null,
  tip: served?.tip ?? null,
  lagEvents: served?.lagEvents ?? null,
  freshnessSeconds: freshness.seconds,
  // Told from the day they are served: a link that leads nowhere is worse than none.
  links: { openapi: null, mcp: null, authMd: null, apiCatalog: null },
})
