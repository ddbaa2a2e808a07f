// Request bodies, read strictly: a form or JSON as the route requires, no member twice, nothing in the query.
import type { Static, TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import {
  FORM_BODY,
  type Form,
  getBody,
  JSON_BODY,
  parseStrictForm,
} from '../infra/base/http/bodies.ts'
import type { Request } from '../infra/base/http/routes.ts'
import { parseStrictJson } from '../infra/base/runtime/strict-json.ts'
import { SCOPE, type ServiceDescription } from './contract/service.ts'
import { AuthError } from './oauth-error.ts'

/** In ES2024. */
type WellFormed = string & { isWellFormed(): boolean }

const invalid = (description: string): AuthError => new AuthError('invalid_request', description)

const readText = (request: Request, type: string): string => {
  if (request.url.includes('?')) throw invalid('Send parameters in the body: URLs are logged.')
  const text = getBody(request, type)
  if (text === undefined) throw invalid(`The body must have the content type ${type}.`)
  return text
}

/** Half of a surrogate pair, which only an escape of JSON can contain, has no encoding: nothing could store or show it. */
const isWellFormed = (value: unknown): boolean => {
  if (typeof value === 'string') return (value as WellFormed).isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).flat().every(isWellFormed)
}

/** The body by its schema; further members are ignored. */
export const readJson = <S extends TSchema>(
  request: Request,
  // biome-ignore lint/suspicious/noExplicitAny: accepts a validator of any schema
  check: Validator<any, S>,
  expected: string,
): Static<S> => {
  const parsed = parseStrictJson(readText(request, JSON_BODY))
  if (!parsed.ok) throw invalid(`The body ${parsed.reason}`)
  const { value } = parsed
  if (!isWellFormed(value)) throw invalid('The body has a text with half a surrogate pair.')
  if (!check.Check(value)) throw invalid(`The body must be ${expected}.`)
  return value
}

/** Of a form. */
export function needParameter(form: Form, name: string): string {
  const value = form(name)
  if (value !== undefined) return value
  throw invalid(`The parameter ${name} is missing.`)
}

export const readForm = (request: Request): Form => {
  const parsed = parseStrictForm(readText(request, FORM_BODY))
  if (!parsed.ok) throw invalid(parsed.reason)
  return parsed.form
}

/** For clients that authenticate: this service has no client secrets. */
export const refuseClientSecrets = ({ headers }: Request, form: Form): void => {
  const { authorization } = headers
  const isSent =
    authorization !== undefined ||
    ['client_secret', 'client_assertion', 'client_assertion_type'].some((name) => form(name))
  if (!isSent) return
  throw new AuthError('invalid_client', 'Clients have no secrets. Omit them.', {
    status: 401,
    headers: authorization === undefined ? {} : { 'www-authenticate': 'Basic realm="rollcall"' },
  })
}

/** The only scope, if absent. */
export const checkScope = (form: Form): void => {
  const scope = form('scope')
  if (scope === undefined || scope === SCOPE) return
  throw new AuthError('invalid_scope', `The scope must be ${SCOPE}.`)
}

/** RFC 8707: the audience of the token. A trailing slash makes no difference. */
export const resolveAudience = (form: Form, { resources }: ServiceDescription): string => {
  const [fallback] = resources
  const requested = form('resource')
  if (requested === undefined) return fallback
  const found = resources.find((each) => each === requested.replace(/\/$/, ''))
  if (found !== undefined) return found
  throw new AuthError(
    'invalid_target',
    'The resource must be a URL that the protected resource metadata lists.',
  )
}
