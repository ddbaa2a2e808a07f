// Serves the assets of the web UI. Their names contain a hash, so they can be cached permanently.
import type { FastifyInstance } from 'fastify'
import { ASSET_CACHING, type Asset } from '../../../infra/base/html/asset.ts'
import { requestHeaders } from '../headers.ts'
import { createResponse, prepareResponse } from '../response.ts'
import { send } from '../send.ts'

export const addAssets = (
  app: FastifyInstance,
  assets: readonly Asset[],
  count: (status: number) => void,
): void => {
  for (const { path, mediaType, bytes } of assets) {
    const response = createResponse(bytes, { mediaType, fields: [] })
    app.get(path, async (request, reply) => {
      const { headers } = request
      reply.headers(requestHeaders(request))
      const caching = { cacheControl: ASSET_CACHING, headers }
      count(send(await prepareResponse(response, caching), reply))
      return reply
    })
  }
}
