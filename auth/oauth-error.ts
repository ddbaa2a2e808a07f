// All error codes of this package with their status, and the only formatter of errors for clients.
// The format is the JSON of OAuth (RFC 6749, 5.2); agent endpoints add the `message` of auth.md.
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { hasCode } from '../infra/base/runtime/errors.ts'
import type { Logger } from '../infra/base/runtime/logger.ts'
import { getRepeatedWarnings } from '../infra/base/runtime/repeated-warnings.ts'

const STATUS = {
  // RFC 6749, 8628, 8707, 7009 and the ID-JAG draft
  invalid_request: 400,
  invalid_client: 400,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unsupported_token_type: 400,
  insufficient_user_authentication: 400,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  access_denied: 400,
  temporarily_unavailable: 503,
  server_error: 500,
  // auth.md: registration
  verified_email_not_enabled: 400,
  service_auth_not_enabled: 400,
  issuer_not_enabled: 400,
  invalid_issuer: 400,
  invalid_signature: 400,
  expired: 400,
  replay_detected: 400,
  invalid_audience: 400,
  invalid_client_id: 400,
  missing_verified_email: 400,
  login_required: 401,
  rate_limited: 429,
  // auth.md: claims
  claim_not_enabled: 400,
  invalid_login_hint: 400,
  invalid_claim_token: 401,
  claimed_or_in_flight: 409,
  claim_completed: 409,
  claim_denied: 403,
  claim_expired: 410,
  claim_superseded: 410,
  claim_revoked: 410,
  // the claim page
  foreign_origin: 403,
  chain_not_allowed: 400,
  address_mismatch: 400,
  method_not_allowed: 405,
} as const satisfies Record<string, number>

export type AuthErrorCode = keyof typeof STATUS

export type AuthErrorOptions = {
  /** For a code with several statuses. */
  status?: number
  headers?: Readonly<Record<string, string>>
  /** More members of the body. */
  members?: Readonly<Record<string, unknown>>
}

/** The description may contain printable ASCII without quotes and backslashes (RFC 6749, 5.2). */
export class AuthError extends Error {
  readonly code: AuthErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, unknown>>

  constructor(code: AuthErrorCode, description: string, options: AuthErrorOptions = {}) {
    super(description)
    this.name = 'AuthError'
    this.code = code
    this.status = options.status ?? STATUS[code]
    const retryAfter: Record<string, string> = STATUS[code] === 503 ? { 'retry-after': '1' } : {}
    this.headers = { ...retryAfter, ...options.headers }
    this.members = options.members ?? {}
  }
}

export const rateLimited = (seconds: number): AuthError =>
  new AuthError('rate_limited', `Too many requests. Retry in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
    members: { retry_after: seconds },
  })

const UNAVAILABLE = ['AGENTS_LOG_UNAVAILABLE', 'KEYS_UNUSABLE', 'DEADLINE_EXCEEDED'] as const

const toAuthError = (error: unknown): AuthError => {
  if (error instanceof AuthError) return error
  if (UNAVAILABLE.some((code) => hasCode(error, code))) {
    return new AuthError(
      'temporarily_unavailable',
      'The service is temporarily unavailable. Try again soon.',
    )
  }
  const { statusCode, code, headers } = error as Partial<FastifyError> & {
    headers?: Record<string, string>
  }
  // From the surrounding application, which limits all requests of an address.
  if (code === 'rate-limited') return rateLimited(Number(headers?.['retry-after'] ?? 60))
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const isLarge = statusCode === 413
    const description = isLarge ? 'The body is too large.' : 'The request is malformed.'
    return new AuthError('invalid_request', description, { status: statusCode })
  }
  return new AuthError(
    'server_error',
    'The request was valid, but an internal error occurred. Try again.',
  )
}

/** No response of this package may be cached. */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' } as const

export type ErrorOptions = { logger: Logger; onError: (code: AuthErrorCode) => void }

const send = (error: AuthError, reply: FastifyReply): FastifyReply =>
  reply
    .code(error.status)
    .headers({ ...NO_STORE, ...error.headers })
    .type('application/json; charset=utf-8')
    .send(
      JSON.stringify({
        error: error.code,
        error_description: error.message,
        message: error.message,
        ...error.members,
      }),
    )

export const addErrors = (app: FastifyInstance, { logger, onError }: ErrorOptions): void => {
  const warnings = getRepeatedWarnings(logger)
  /** A refusal is an answer. An outage is one warning, however many requests meet it. */
  const noteFailure = (cause: Error, code: AuthErrorCode, requestId: string): void => {
    if (code === 'server_error') {
      logger.error({ error: cause, requestId }, 'failed to handle a request')
    } else if (code === 'temporarily_unavailable' && !(cause instanceof AuthError)) {
      const fields = { reason: cause.message, requestId }
      warnings.warn({ key: cause.message, fields, message: 'failed to handle a request' })
    }
  }
  app.setErrorHandler<Error>((cause, request, reply) => {
    const error = toAuthError(cause)
    noteFailure(cause, error.code, request.id)
    onError(error.code)
    reply.headers(request.routeOptions.config?.answerHeaders ?? {})
    return send(error, reply)
  })
}
