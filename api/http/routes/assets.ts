// Serves the assets of the web UI. Their names contain a hash, so they can be cached permanently.
import type { FastifyInstance } from 'fastify'
import { ASSET_CACHING, type Asset } from '../../../infra/base/html/asset.ts'
import { createResponse } from '../../../infra/base/http/response.ts'
import { addRoutes, type Edge, type Route } from '../../../infra/base/http/routes.ts'
import { sendResponse } from '../../../infra/base/http/send.ts'

export type AssetRoutes = {
  edge: Edge
  assets: readonly Asset[]
  count: (status: number) => void
}

export const addAssets = (app: FastifyInstance, { edge, assets, count }: AssetRoutes): void => {
  const createRoute = ({ path, mediaType, bytes }: Asset): Route => {
    const response = createResponse(bytes, { mediaType, fields: [] })
    return {
      path,
      handlers: {
        GET: async (request, reply) => {
          await sendResponse(response, ASSET_CACHING, { request, reply })
          count(reply.statusCode)
          return reply
        },
      },
    }
  }
  addRoutes(app, edge, assets.map(createRoute))
}
