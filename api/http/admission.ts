// Counts each request against a quota of its address. Requests with a valid token have a larger quota.
// This quota is also per address, because tokens are free and an address can have any number of them.

import type { Answering } from '../../infra/base/http/answering.ts'
import { countRequest } from '../../infra/base/http/limits/quota.ts'
import type { RateLimiter } from '../../infra/base/http/limits/rate-limit.ts'
import type { Request } from '../../infra/base/http/routes.ts'
import { ApiProblem, tokenNotInHeader } from '../problem.ts'
import { requireValidBearer, type VerifyBearer } from './bearer.ts'

export type AdmissionOptions = {
  /** For requests without a valid token. */
  limiter: RateLimiter
  withToken: RateLimiter
  /** Counts invalid tokens. Above its quota tokens are not verified, because the check of a signature is slow. */
  refused: RateLimiter
  verifyBearer: VerifyBearer
}

const checkQuery = ({ query }: Request): ApiProblem | undefined =>
  'access_token' in query ? tokenNotInHeader() : undefined

const admitBearer = async (
  request: Request,
  authorization: string,
  { limiter, withToken, refused, verifyBearer }: AdmissionOptions,
): Promise<Error | undefined> => {
  const exceededUnverified = refused.isSpent(request.ip)
    ? countRequest(request, limiter)
    : undefined
  if (exceededUnverified) return exceededUnverified
  const resource = request.route?.credentials === 'mcp' ? 1 : 0
  try {
    await requireValidBearer(authorization, verifyBearer, resource)
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'invalid-token') refused.take(request.ip)
    throw countRequest(request, limiter) ?? error
  }
  return countRequest(request, withToken) ?? checkQuery(request)
}

/** Asynchronous only for requests with a token. */
export const createAdmission =
  (options: AdmissionOptions): Answering['admit'] =>
  (request) => {
    const { authorization } = request.headers
    // By the route and not by the path, because a path can have many encodings.
    const isOwn = request.route?.credentials === 'own'
    if (authorization !== undefined && !isOwn) return admitBearer(request, authorization, options)
    return countRequest(request, options.limiter) ?? (isOwn ? undefined : checkQuery(request))
  }
