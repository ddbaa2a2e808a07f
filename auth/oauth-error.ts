// All error codes of this package with their status, and the only formatter of errors for clients.
// The format is the JSON of OAuth (RFC 6749, 5.2); agent endpoints add the `message` of auth.md.
import { type Fault, HttpError } from '../infra/base/http/errors.ts'
import { NO_STORE } from '../infra/base/http/headers.ts'
import type { Edge } from '../infra/base/http/routes.ts'
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
  unsupported_response_type: 400,
  // RFC 7591
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
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

/** Of responses that no cache may store, also for clients of HTTP/1.0 (RFC 6749, 5.1). */
export const NEVER_STORED = { ...NO_STORE, pragma: 'no-cache' } as const

const DESCRIPTIONS: Partial<Record<Fault, string>> = {
  notFound: 'This service has no resource at this path.',
  bodyTooLarge: 'The body is too large.',
  uriTooLong: 'The URL is too long.',
}

const UNAVAILABLE = ['AGENTS_LOG_UNAVAILABLE', 'KEYS_UNUSABLE', 'DEADLINE_EXCEEDED'] as const

/** What every edge refuses, with the descriptions of this package. */
const fromHttpError = ({ fault, status, headers }: HttpError): AuthError => {
  switch (fault) {
    case 'rateLimited':
      return rateLimited(Number(headers['retry-after']))
    case 'methodNotAllowed':
      return new AuthError('method_not_allowed', `This path allows only ${headers['allow']}.`, {
        headers,
      })
    default: {
      const description = DESCRIPTIONS[fault] ?? 'The request is malformed.'
      return new AuthError('invalid_request', description, { status, headers })
    }
  }
}

const toAuthError = (error: unknown): AuthError => {
  if (error instanceof AuthError) return error
  if (error instanceof HttpError) return fromHttpError(error)
  if (UNAVAILABLE.some((code) => hasCode(error, code))) {
    return new AuthError(
      'temporarily_unavailable',
      'The service is temporarily unavailable. Try again soon.',
    )
  }
  return new AuthError(
    'server_error',
    'The request was valid, but an internal error occurred. Try again.',
  )
}

export type ErrorOptions = { logger: Logger; onError: (code: AuthErrorCode) => void }

export const createErrorRenderer = ({ logger, onError }: ErrorOptions): Edge['renderError'] => {
  const warnings = getRepeatedWarnings(logger)
  /** A refusal is an answer. An outage is one warning, however many requests meet it. */
  const noteOutage = (cause: unknown, { code }: AuthError, requestId: string): void => {
    if (code !== 'temporarily_unavailable' || cause instanceof AuthError) return
    const { message: reason } = cause as Error
    const fields = { reason, requestId }
    warnings.warn({ key: reason, fields, message: 'failed to answer' })
  }
  return (cause, request) => {
    const error = toAuthError(cause)
    const { code, message, members } = error
    if (request) {
      noteOutage(cause, error, request.id)
      onError(code)
    }
    return {
      status: error.status,
      headers: { ...NEVER_STORED, ...error.headers },
      mediaType: 'application/json; charset=utf-8',
      body: JSON.stringify({ error: code, error_description: message, message, ...members }),
    }
  }
}
