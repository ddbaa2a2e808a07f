// Sends finished responses with Fastify.
import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createResponse, prepareResponse, type Response, toHeaders } from './response.ts'

export const sendResponse = async (
  response: Response,
  cacheControl: string,
  { request: { headers }, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> => {
  const { status, fields, bytes } = await prepareResponse(response, { cacheControl, headers })
  return reply.code(status).headers(toHeaders(fields)).send(bytes)
}

/** The response for a source. It is written and compressed again only when the source has changed. */
export const rememberResponse = <Source>(
  mediaType: string,
  write: (source: Source) => string,
): ((source: Source) => Response) => {
  let known: { source: Source; response: Response } | undefined
  return (source) => {
    if (known && isDeepStrictEqual(known.source, source)) return known.response
    const response = createResponse(Buffer.from(write(source)), { mediaType, fields: [] })
    known = { source, response }
    return response
  }
}
