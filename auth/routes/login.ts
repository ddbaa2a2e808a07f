// The authorization endpoint and the registration of clients. The button of the page is a POST that no other page can send:
// it needs a cookie of the browser, and the sealed request that was made for this cookie.
import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Form, parseStrictForm } from '../../infra/base/http/bodies.ts'
import { OWN_PAGES_ONLY } from '../../infra/base/http/headers.ts'
import type { Request, Route } from '../../infra/base/http/routes.ts'
import { splitTarget } from '../../infra/base/http/routes.ts'
import { checkScope, needParameter, readForm, readJson, resolveAudience } from '../bodies.ts'
import { type AuthContext, computeHash, newId, takeQuota } from '../context.ts'
import { GRANT, PATHS, SCOPE } from '../contract/service.ts'
import { CODE_SECONDS } from '../grants/login.ts'
import { ClientMetadata, isSameRedirect, withParameters } from '../logins/clients.ts'
import { loginPage, loginProblemPage } from '../logins/login-page.tsx'
import { AuthError, NEVER_STORED } from '../oauth-error.ts'
import { getDemoNotice, requireOwnOrigin } from './delegation.ts'
import { createEndpoint } from './route.ts'

/** Time to read the page. */
const PAGE_SECONDS = 600
const COOKIE = 'rollcall-login'
const COOKIE_VALUE = new RegExp(`(?:^|; )${COOKIE}=([\\w-]{22})(?:;|$)`)

/** `sendsTo`: browsers also check where the answer to the form, and the client after it, redirects. */
const pageHeaders = (sendsTo: string) =>
  ({
    ...NEVER_STORED,
    'content-security-policy': `default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self' https: ${sendsTo}; frame-ancestors 'none'`,
    // With `no-referrer` the form would have no origin.
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
  }) as const

type Asked = { clientId: string; redirectUri: string }

/** A problem of a client that is known, which it may be told. */
class LoginProblem extends Error {
  readonly back: string

  constructor({ code, message }: AuthError, { redirectUri }: Asked, form: Form, issuer: string) {
    super(message)
    const told = { error: code, error_description: message, state: form('state'), iss: issuer }
    this.back = withParameters(redirectUri, told)
  }
}

const readQuery = ({ url }: Request): Form => {
  const parsed = parseStrictForm(splitTarget(url).query.slice(1))
  if (parsed.ok) return parsed.form
  throw new AuthError('invalid_request', parsed.reason)
}

const findAsked = async ({ clients }: AuthContext, form: Form) => {
  const clientId = needParameter(form, 'client_id')
  const redirectUri = needParameter(form, 'redirect_uri')
  const client = await clients.find(clientId)
  if (client.redirects.some((known) => isSameRedirect(known, redirectUri))) {
    return { client, clientId, redirectUri }
  }
  throw new AuthError('invalid_request', 'The redirect_uri is not one of this client.')
}

const readChallenge = (form: Form): string => {
  const challenge = needParameter(form, 'code_challenge')
  if (form('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge)) {
    throw new AuthError('invalid_request', 'PKCE needs a code_challenge with the method S256.')
  }
  return challenge
}

const readRequest = (form: Form, { service }: AuthContext) => {
  if (needParameter(form, 'response_type') !== 'code') {
    throw new AuthError('unsupported_response_type', 'The response_type must be code.')
  }
  checkScope(form)
  return { challenge: readChallenge(form), resource: resolveAudience(form, service()) }
}

const showPage = async (request: Request, reply: FastifyReply, context: AuthContext) => {
  const { tokens, service, basePath, limits } = context
  takeQuota(limits.login, request)
  const form = readQuery(request)
  const { client, ...asked } = await findAsked(context, form)
  const { clientId, redirectUri } = asked
  const { issuer } = service()
  let read: ReturnType<typeof readRequest>
  try {
    read = readRequest(form, context)
  } catch (error) {
    throw error instanceof AuthError ? new LoginProblem(error, asked, form, issuer) : error
  }
  const known = COOKIE_VALUE.exec(request.headers.cookie ?? '')?.[1]
  const browser = known ?? randomBytes(16).toString('base64url')
  const state = form('state')
  const sealed = await tokens.issueLogin(
    'request',
    {
      ...read,
      client_id: clientId,
      redirect_uri: redirectUri,
      browser: computeHash(browser),
      ...(state === undefined ? {} : { state }),
    },
    PAGE_SECONDS,
  )
  const secure = issuer.startsWith('https:') ? '; Secure' : ''
  const where = `Path=${basePath}${PATHS.authorize}; Max-Age=${PAGE_SECONDS}`
  return reply
    .headers(pageHeaders(new URL(redirectUri).protocol))
    .header('set-cookie', `${COOKIE}=${browser}; ${where}; HttpOnly; SameSite=Lax${secure}`)
    .send(
      loginPage({
        ...client,
        redirectUri,
        resource: read.resource,
        request: sealed,
        notice: getDemoNotice(context),
      }),
    )
}

const pressButton = async (request: Request, reply: FastifyReply, context: AuthContext) => {
  const { tokens, service, metrics, limits } = context
  requireOwnOrigin(request, context)
  takeQuota(limits.login, request)
  const opened = await tokens.openLogin('request', needParameter(readForm(request), 'request'))
  const browser = COOKIE_VALUE.exec(request.headers.cookie ?? '')?.[1] ?? ''
  if (!opened.ok || opened.payload.browser !== computeHash(browser)) {
    throw new AuthError('access_denied', 'The page is too old, or is not of this browser.')
  }
  const { client_id: clientId, redirect_uri: redirectUri, ...asked } = opened.payload
  const code = await tokens.issueLogin(
    'code',
    {
      sub: newId('lgn_'),
      client: computeHash(clientId),
      redirect: computeHash(redirectUri),
      challenge: asked.challenge,
      resource: asked.resource,
    },
    CODE_SECONDS,
  )
  metrics.done('login_confirmed')
  const answer = { code, state: asked.state, iss: service().issuer }
  return reply
    .code(303)
    .headers(NEVER_STORED)
    .header('location', withParameters(redirectUri, answer))
    .send()
}

type Step = typeof showPage

/** People read these errors, so they are pages. */
const asPage =
  (step: Step, context: AuthContext) => async (request: Request, reply: FastifyReply) => {
    reply.type('text/html; charset=utf-8').headers(pageHeaders(''))
    try {
      return await step(request, reply, context)
    } catch (error) {
      if (error instanceof LoginProblem) {
        return reply.code(400).send(loginProblemPage(error.message, error.back))
      }
      if (!(error instanceof AuthError)) throw error
      context.metrics.refused(error.code)
      return (
        reply
          // A page has no challenge.
          .code(error.status === 401 ? 400 : error.status)
          .headers(error.headers)
          .send(loginProblemPage(error.message, undefined))
      )
    }
  }

const checkMetadata = Compile(ClientMetadata)
const EXPECTED = 'a JSON object with redirect_uris; client_name is optional'

const registerClient = async (
  { clients, clock, metrics }: AuthContext,
  { redirect_uris: redirects, client_name: name }: Static<typeof ClientMetadata>,
) => {
  const statement = {
    redirect_uris: redirects,
    ...(name === undefined ? {} : { client_name: name }),
  }
  const clientId = await clients.register(statement)
  metrics.done('client_registered')
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(clock.now() / 1_000),
    ...statement,
    token_endpoint_auth_method: 'none',
    grant_types: [GRANT.authorizationCode, GRANT.refreshToken],
    response_types: ['code'],
    scope: SCOPE,
  }
}

export const createLoginRoutes = (context: AuthContext): Route[] => [
  {
    path: PATHS.authorize,
    cors: OWN_PAGES_ONLY,
    credentials: 'own',
    handlers: { GET: asPage(showPage, context), POST: asPage(pressButton, context) },
  },
  createEndpoint(
    PATHS.registerClient,
    async (request) => {
      takeQuota(context.limits.login, request)
      return registerClient(context, readJson(request, checkMetadata, EXPECTED))
    },
    { status: 201 },
  ),
]
