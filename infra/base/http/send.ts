// Sends finished responses with Fastify.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { prepareResponse, type Response, toHeaders } from './response.ts'

/** Returns the status. */
export const sendResponse = async (
  response: Response,
  cacheControl: string,
  { request: { headers }, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<number> => {
  const { status, fields, bytes } = await prepareResponse(response, { cacheControl, headers })
  reply.code(status).headers(toHeaders(fields)).send(bytes)
  return status
}
