// Serves the files of the pages: their names say their content, so that they are kept for ever.
import type { FastifyInstance } from 'fastify'
import { ASSET_CACHING, type Asset } from '../../infra/html/asset.ts'
import { hasAlready } from '../../infra/runtime/entity-tag.ts'
import { isWorthCompressing, stampBytes } from '../pages/page-content.ts'
import { codingFor } from '../plugins/coding.ts'
import { commonHeaders } from '../plugins/headers.ts'

export const addAssets = (
  app: FastifyInstance,
  assets: readonly Asset[],
  answered: (status: number) => void,
): void => {
  for (const { path, mediaType, bytes } of assets) {
    const stamped = stampBytes(bytes, { mediaType, fields: [] })
    app.get(path, (request, reply) => {
      const asked = request.headers
      const coding = isWorthCompressing(stamped) ? codingFor(asked['accept-encoding']) : 'identity'
      const body = stamped.body(coding)
      reply.headers({
        ...commonHeaders(request),
        etag: body.etag,
        'cache-control': ASSET_CACHING,
      })
      const isKnown = hasAlready(asked['if-none-match'], body.etag)
      answered(isKnown ? 304 : 200)
      if (isKnown) return reply.code(304).send()
      if (coding !== 'identity') reply.header('content-encoding', coding)
      return reply.header('content-type', mediaType).send(body.bytes)
    })
  }
}
