// How the routes of this package answer: errors of OAuth, no caches, and which web pages of other origins may call them.
import { FORM_BODY, JSON_BODY } from '../../infra/base/http/bodies.ts'
import { allowEveryOrigin, type CorsPolicy, NO_SNIFF } from '../../infra/base/http/headers.ts'
import { rememberResponse, sendResponse } from '../../infra/base/http/response.ts'
import type { Edge, Request, Route } from '../../infra/base/http/routes.ts'
import { createErrorRenderer, type ErrorOptions, NEVER_STORED } from '../oauth-error.ts'

/** Twice the longest token, and space for other parameters. */
export const MAX_BODY_BYTES = 20 * 1024

const SHARED = allowEveryOrigin({ allowed: ['If-None-Match'] })

export const createAuthEdge = (options: ErrorOptions): Edge => ({
  headers: { ...NO_SNIFF, 'referrer-policy': 'no-referrer' },
  cors: SHARED,
  bodies: { types: [JSON_BODY, FORM_BODY], maxBytes: MAX_BODY_BYTES },
  renderError: createErrorRenderer(options),
})

/** `answer` returns the JSON of the response; undefined for one without a body. */
export const createEndpoint = (
  path: string,
  answer: (request: Request) => Promise<object | undefined>,
  { cors = SHARED, status = 200 }: { cors?: CorsPolicy; status?: number } = {},
): Route => ({
  path,
  cors,
  credentials: 'own',
  handlers: {
    POST: async (request, reply) =>
      reply
        .code(status)
        .headers(NEVER_STORED)
        .send(await answer(request)),
  },
})

type Document = {
  path: string
  mediaType: string
  cacheControl: string
  /** Called for each request. */
  write: () => string
  cors?: CorsPolicy
}

export const createDocument = (document: Document): Route => {
  const { path, mediaType, cacheControl, write, cors = SHARED } = document
  const findResponse = rememberResponse(mediaType, (text: string) => text)
  return {
    path,
    cors,
    credentials: 'own',
    handlers: {
      GET: (request, reply) =>
        sendResponse(findResponse(write()), cacheControl, {
          request,
          reply: reply.header('vary', 'Accept-Encoding'),
        }),
    },
  }
}
