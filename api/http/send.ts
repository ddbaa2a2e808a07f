// Sends the responses of the read API with their `Cache-Control`, and redirects to the canonical URL: that of a path with non-canonical
// parameters, such as an id with leading zeros, or of a wrong query.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { NO_STORE } from '../../infra/base/http/headers.ts'
import { type Response, sendResponse } from '../../infra/base/http/response.ts'
import { splitTarget } from '../../infra/base/http/routes.ts'

const CACHE_OPEN = 'max-age=1, stale-while-revalidate=30'
const CACHE_FINAL = 'max-age=86400, immutable'

/** A rendered response; `isFinal` if it can never change. */
export type Finished = { response: Response; isFinal: boolean }

/** The `Cache-Control` header of a response. */
export const formatCacheControl = (isFinal: boolean, headers: IncomingHttpHeaders): string => {
  const audience = headers.authorization === undefined ? 'public' : 'private'
  return `${audience}, ${isFinal ? CACHE_FINAL : CACHE_OPEN}`
}

export const sendFinished = (
  { response, isFinal }: Finished,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> =>
  sendResponse(response, formatCacheControl(isFinal, request.headers), { request, reply })

/** A permanent redirect. */
export const sendMoved = (location: string, reply: FastifyReply): FastifyReply =>
  reply.code(308).headers({ location, 'cache-control': 'public, max-age=86400' }).send()

/** Thrown where a page is written that is not the one to show. Only `location` changes in the URL. */
export class SeeOther extends Error {
  readonly location: string

  constructor(location: string) {
    super(`see ${location}`)
    this.location = location
  }
}

/** What an input means can change with the chain, so it is not cached. */
export const sendSeeOther = (location: string, reply: FastifyReply) =>
  reply
    .code(303)
    .headers({ ...NO_STORE, location })
    .send()

const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

type Params = Readonly<Record<string, string>>

/** The same target with canonical path parameters; undefined if all of them are canonical already. */
export const findCanonicalLocation = (
  url: string,
  raw: Params,
  canonical: Params,
): string | undefined => {
  const canonicalValues = new Map(
    Object.entries(canonical)
      .filter(([name, value]) => raw[name] !== value)
      .map(([name, value]) => [raw[name], value]),
  )
  if (canonicalValues.size === 0) return undefined
  const { path, query } = splitTarget(url)
  const segments = path
    .split('/')
    .map((segment) => canonicalValues.get(decodeSegment(segment)) ?? segment)
  return segments.join('/') + query
}

/** The same target with one value of its query; undefined if the query does not have the parameter exactly once. */
export const replaceInQuery = (url: string, name: string, value: string): string | undefined => {
  const { path, query } = splitTarget(url)
  const parameters = new URLSearchParams(query)
  if (parameters.getAll(name).length !== 1) return undefined
  parameters.set(name, value)
  return `${path}?${parameters}`
}
