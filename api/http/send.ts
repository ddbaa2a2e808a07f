// Sends rendered responses with entity tag, 304 and `Cache-Control`.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { commonHeaders } from './headers.ts'
import {
  type Fields,
  type PreparedResponse,
  prepareReady,
  prepareResponse,
  type Response,
} from './response.ts'

const CACHE_OPEN = 'max-age=1, stale-while-revalidate=30'
const CACHE_FINAL = 'max-age=86400, immutable'

/** A rendered response; `isFinal` if it can never change. */
export type Finished = { response: Response; isFinal: boolean }

/** The `Cache-Control` header of a response. */
export const formatCacheControl = (isFinal: boolean, headers: IncomingHttpHeaders): string => {
  const audience = headers.authorization === undefined ? 'public' : 'private'
  return `${audience}, ${isFinal ? CACHE_FINAL : CACHE_OPEN}`
}

/** Undefined if its body must be compressed first. */
export const prepareFinished = (
  { response, isFinal }: Finished,
  headers: IncomingHttpHeaders,
): PreparedResponse | undefined =>
  prepareReady(response, { cacheControl: formatCacheControl(isFinal, headers), headers })

/** A permanent redirect. */
export const sendMoved = (
  location: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply =>
  reply
    .code(308)
    .headers({ ...commonHeaders(request), location, 'cache-control': 'public, max-age=86400' })
    .send()

export const setFields = (reply: FastifyReply, fields: Fields): void => {
  for (let at = 0; at < fields.length; at += 2) reply.header(fields[at] ?? '', fields[at + 1])
}

/** Returns the status. The caller sets the headers about the request before. */
export const send = ({ status, fields, bytes }: PreparedResponse, reply: FastifyReply): number => {
  reply.code(status)
  setFields(reply, fields)
  reply.send(bytes)
  return status
}

export const sendResponse = async (
  { response, isFinal }: Finished,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<number> => {
  const cacheControl = formatCacheControl(isFinal, headers)
  return send(await prepareResponse(response, { cacheControl, headers }), reply)
}
