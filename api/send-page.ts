// Puts a page on the wire: coding, entity tag, 304, how long it may be kept.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isWorthCompressing } from './page-content.ts'
import type { AnsweredPage } from './pages.ts'
import { codingFor, hasAlready } from './plugins/conditional.ts'
import { commonHeaders } from './plugins/headers.ts'

const KEEP_OPEN = 'max-age=1, stale-while-revalidate=30'
const KEEP_FINAL = 'max-age=86400, immutable'

const cacheControl = (isFinal: boolean, isPrivate: boolean): string =>
  `${isPrivate ? 'private' : 'public'}, ${isFinal ? KEEP_FINAL : KEEP_OPEN}`

/** Returns the status sent. */
export const sendPage = (
  { page, isFinal }: AnsweredPage,
  request: FastifyRequest,
  reply: FastifyReply,
): number => {
  const { headers: asked } = request
  const coding = isWorthCompressing(page) ? codingFor(asked['accept-encoding']) : 'identity'
  const { bytes, etag } = page.body(coding)
  const headers = commonHeaders(request)
  headers['etag'] = etag
  headers['cache-control'] = cacheControl(isFinal, asked.authorization !== undefined)
  if (hasAlready(asked['if-none-match'], etag)) {
    reply.code(304).headers(headers).send()
    return 304
  }
  headers['content-type'] = 'application/json; charset=utf-8'
  if (coding !== 'identity') headers['content-encoding'] = coding
  reply.headers(headers).send(bytes)
  return 200
}
