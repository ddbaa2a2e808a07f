// `GET /sitemap.xml`: written again when a proposal or a pool has changed.
import type { FastifyInstance } from 'fastify'
import { API_PATHS, describeService } from '../../../auth/contract/service.ts'
import { listeningUrl } from '../../../infra/base/http/listening-url.ts'
import { createResponse, type Response } from '../../../infra/base/http/response.ts'
import { addRoutes, type Edge, type Handler } from '../../../infra/base/http/routes.ts'
import { sendResponse } from '../../../infra/base/http/send.ts'
import { SITEMAP_TYPE, writeSitemap } from '../../discovery/sitemap.ts'
import type { Reader } from '../../read/reader.ts'
import type { Snapshot } from '../../read/snapshot.ts'
import type { SnapshotSource } from '../../read/snapshots/snapshot-source.ts'
import { allPools } from '../../resources/pools.ts'
import type { Pool } from '../../schemas/pool.ts'

export type SitemapOptions = {
  edge: Edge
  /** Without a trailing slash. If it is empty, URLs use the listening address. */
  baseUrl: string
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

type Written = { changedAt: bigint | undefined; pools: readonly Pool[]; response: Response }

const isSame = (known: Written, changedAt: bigint | undefined, pools: readonly Pool[]): boolean =>
  known.changedAt === changedAt &&
  known.pools.length === pools.length &&
  known.pools.every(({ operatorAddress }, n) => operatorAddress === pools[n]?.operatorAddress)

export const addSitemap = (app: FastifyInstance, options: SitemapOptions): void => {
  const { edge, baseUrl, snapshots, reader } = options
  let written: Written | undefined
  const sendSitemap: Handler = async (request, reply) => {
    const pools = await readPools(reader, request.ip)
    const snapshot = snapshots.current()
    const changedAt = snapshot?.changedAt
    if (!written || !isSame(written, changedAt, pools)) {
      const service = describeService(baseUrl === '' ? (listeningUrl(app.server) ?? '') : baseUrl)
      const operators = pools.map(({ operatorAddress }) => operatorAddress)
      const text = writeSitemap(service, { proposals: listProposals(snapshot), pools: operators })
      const response = createResponse(Buffer.from(text), { mediaType: SITEMAP_TYPE, fields: [] })
      written = { changedAt, pools, response }
    }
    await sendResponse(written.response, 'public, max-age=3600', { request, reply })
    return reply
  }
  addRoutes(app, edge, [{ path: API_PATHS.sitemap, handlers: { GET: sendSitemap } }])
}
