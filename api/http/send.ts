// Puts a finished answer on the wire: entity tag, 304, and how long it may be cached.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Fields, type Response, type Sent, sentFor } from './response.ts'

const CACHE_OPEN = 'max-age=1, stale-while-revalidate=30'
const CACHE_FINAL = 'max-age=86400, immutable'

/** An answer of the store; `isFinal` where it can never change. */
export type Finished = { response: Response; isFinal: boolean }

export const sentFinished = ({ response, isFinal }: Finished, asked: IncomingHttpHeaders): Sent => {
  const audience = asked.authorization === undefined ? 'public' : 'private'
  return sentFor(response, `${audience}, ${isFinal ? CACHE_FINAL : CACHE_OPEN}`, asked)
}

export const setFields = (reply: FastifyReply, fields: Fields): void => {
  for (let at = 0; at < fields.length; at += 2) reply.header(fields[at] ?? '', fields[at + 1])
}

/** Returns the status. The header fields about the request itself were set before. */
export const send = ({ status, fields, bytes }: Sent, reply: FastifyReply): number => {
  reply.code(status)
  setFields(reply, fields)
  reply.send(bytes)
  return status
}

export const sendResponse = (
  finished: Finished,
  request: FastifyRequest,
  reply: FastifyReply,
): number => send(sentFinished(finished, request.headers), reply)
