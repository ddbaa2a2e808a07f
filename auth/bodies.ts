// Request bodies, read strictly: a form or JSON as the route requires, no member twice, nothing in the query.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { parseStrictJson } from '../infra/base/runtime/strict-json.ts'
import { AuthError } from './oauth-error.ts'

/** Twice the longest token, and space for other parameters. */
export const MAX_BODY_BYTES = 20 * 1024
const MAX_PARAMETERS = 32

type Body = { kind: 'json' | 'form'; text: string }

const KINDS = {
  'application/json': 'json',
  'application/x-www-form-urlencoded': 'form',
} as const

/** Replaces the body parsers of the surrounding application. */
export const addBodyParsers = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  for (const [type, kind] of Object.entries(KINDS)) {
    const options = { parseAs: 'string', bodyLimit: MAX_BODY_BYTES } as const
    app.addContentTypeParser(type, options, (_request, text, done) => {
      done(null, { kind, text: String(text) } satisfies Body)
    })
  }
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume()
    done(null)
  })
}

const invalid = (description: string): AuthError => new AuthError('invalid_request', description)

const readText = (request: FastifyRequest, kind: Body['kind']): string => {
  if (request.url.includes('?')) {
    throw invalid('Send parameters in the body: URLs are logged.')
  }
  const body = request.body as Body | undefined | null
  if (body?.kind === kind) return body.text
  const [type] = Object.entries(KINDS).find(([, each]) => each === kind) ?? []
  throw invalid(`The body must have the content type ${type}.`)
}

/** The body by its schema; further members are ignored. */
export const readJson = <S extends TSchema>(
  request: FastifyRequest,
  // biome-ignore lint/suspicious/noExplicitAny: accepts a validator of any schema
  check: Validator<any, S>,
  expected: string,
): Static<S> => {
  const parsed = parseStrictJson(readText(request, 'json'))
  if (!parsed.ok) throw invalid(`The body ${parsed.reason}`)
  const { value } = parsed
  if (!check.Check(value)) throw invalid(`The body must be ${expected}.`)
  return value
}

/** A parameter without a value counts as absent (RFC 6749, section 3.2). */
export type Form = (name: string) => string | undefined

export const readForm = (request: FastifyRequest): Form => {
  const values = new Map<string, string>()
  let count = 0
  for (const [name, value] of new URLSearchParams(readText(request, 'form'))) {
    count += 1
    if (count > MAX_PARAMETERS)
      throw invalid(`The body must have at most ${MAX_PARAMETERS} parameters.`)
    if (values.has(name)) throw invalid('A parameter occurs more than once. Send each one once.')
    values.set(name, value)
  }
  return (name) => values.get(name) || undefined
}

/** For clients that authenticate: this service has no client secrets. */
export const refuseClientSecrets = (request: FastifyRequest, form: Form): void => {
  const { authorization } = request.headers
  const isSent =
    authorization !== undefined ||
    ['client_secret', 'client_assertion', 'client_assertion_type'].some((name) => form(name))
  if (!isSent) return
  throw new AuthError('invalid_client', 'Clients have no secrets. Omit them.', {
    status: 401,
    headers: authorization === undefined ? {} : { 'www-authenticate': 'Basic realm="rollcall"' },
  })
}
