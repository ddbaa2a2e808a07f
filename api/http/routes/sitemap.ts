// `GET /sitemap.xml`: written again when a proposal or a pool has changed.
import { API_PATHS, describeService } from '../../../auth/contract/service.ts'
import { rememberResponse, sendResponse } from '../../../infra/base/http/response.ts'
import type { Handler, Route } from '../../../infra/base/http/routes.ts'
import { SITEMAP_TYPE, writeSitemap } from '../../discovery/sitemap.ts'
import type { Reader } from '../../read/reader.ts'
import type { Snapshot } from '../../read/snapshot.ts'
import type { SnapshotSource } from '../../read/snapshots/snapshot-source.ts'
import { allPools } from '../../resources/pools.ts'

export type SitemapOptions = {
  getServiceUrl: () => string | undefined
  snapshots: Pick<SnapshotSource, 'current'>
  reader: Pick<Reader, 'get'>
}

/** The sitemap exists without data too, with fewer URLs. */
const readPools = async (reader: SitemapOptions['reader'], client: string) => {
  try {
    return (await reader.get(allPools, client)).body
  } catch {
    return []
  }
}

/** A proposal without a time is being replaced and is listed later. */
const listProposals = (snapshot: Snapshot | undefined) =>
  [...(snapshot?.watermarks ?? [])].flatMap(([proposalId, { timeMs }]) =>
    timeMs === 0 ? [] : [{ proposalId, changedMs: timeMs }],
  )

export const createSitemapRoute = (options: SitemapOptions): Route => {
  const { getServiceUrl, snapshots, reader } = options
  type Source = { changedAt: bigint | undefined; pools: readonly string[] }
  const findResponse = rememberResponse(SITEMAP_TYPE, ({ pools }: Source) => {
    const service = describeService(getServiceUrl() ?? '')
    return writeSitemap(service, { proposals: listProposals(snapshots.current()), pools })
  })
  const sendSitemap: Handler = async (request, reply) => {
    const pools = await readPools(reader, request.ip)
    const operators = pools.map(({ operatorAddress }) => operatorAddress)
    const { changedAt } = snapshots.current() ?? { changedAt: undefined }
    const response = findResponse({ changedAt, pools: operators })
    return sendResponse(response, 'public, max-age=3600', { request, reply })
  }
  return { path: API_PATHS.sitemap, handlers: { GET: sendSitemap } }
}
