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
    app.get(path, (request, reply) => {
      reply.headers(requestHeaders(request))
      count(send(prepareResponse(response, ASSET_CACHING, request.headers), reply))
      return reply
    })
  }
}
