// Serves the assets of the web UI. Their names contain a hash, so they can be cached permanently.
import { ASSET_CACHING, type Asset } from '../../../infra/base/html/asset.ts'
import { createResponse, sendResponse } from '../../../infra/base/http/response.ts'
import type { Route } from '../../../infra/base/http/routes.ts'

export const createAssetRoute = ({ path, mediaType, bytes }: Asset): Route => {
  const response = createResponse(bytes, { mediaType, fields: [] })
  return {
    path,
    operation: 'asset',
    handlers: {
      GET: (request, reply) => sendResponse(response, ASSET_CACHING, { request, reply }),
    },
  }
}
