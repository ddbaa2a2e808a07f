// Tests of the two quotas per address: valid tokens raise the quota once, whatever their number is.
import { describe, expect, it } from 'vitest'
import { createAdmission, createQuotas, type VerifyBearer } from '../../../../api/http/admission.ts'
import { toProblem } from '../../../../api/read/problems.ts'
import { HttpError, type RenderedResponse } from '../../../../infra/base/http/errors.ts'
import { OWN_PAGES_ONLY } from '../../../../infra/base/http/headers.ts'
import { createRateLimiter } from '../../../../infra/base/http/limits/rate-limit.ts'
import { addRoutes, type Edge, type Handler } from '../../../../infra/base/http/routes.ts'
import { createHttpServer, type HttpServerOptions } from '../../../../infra/base/http/server.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'
import { silentLogger } from '../../../support/process/log-lines.ts'

const renderPlain = (error: unknown): RenderedResponse => {
  const { message } = error as Error
  const [status, headers] = error instanceof HttpError ? [error.status, error.headers] : [500, {}]
  return { status, headers, mediaType: 'text/plain', body: message }
}

const PLAIN_EDGE: Edge = { headers: {}, cors: OWN_PAGES_ONLY, renderError: renderPlain }

const createPlainServer = (options: Partial<HttpServerOptions> = {}) =>
  createHttpServer({
    trustProxy: false,
    edge: PLAIN_EDGE,
    limiter: createRateLimiter(1_000_000, () => 0),
    logger: silentLogger(),
    ...options,
  })

/** Two requests a minute, four with a token. */
const setup = () => {
  let verified = 0
  const verifyBearer: VerifyBearer = async (authorization) => {
    verified += 1
    const isUnavailable = authorization === 'Bearer later'
    if (!authorization.startsWith('Bearer good')) return { ok: false, reason: 'no', isUnavailable }
    return { ok: true, principal: { subject: authorization, scopes: [] } }
  }
  const limiter = (perMinute: number, name?: string) =>
    createRateLimiter(perMinute, () => 0, name === undefined ? {} : { name })
  const limiters = { limiter: limiter(2), withToken: limiter(4, 'token'), refused: limiter(2) }
  const edge: Edge = {
    ...PLAIN_EDGE,
    renderError: (error, request) => {
      const { code } = toProblem(error)
      const body = JSON.stringify({ code, limit: request?.quota?.limit })
      return { status: 400, mediaType: 'application/json', body }
    },
  }
  const admit = createAdmission({ ...limiters, verifyBearer })
  const app = createPlainServer({ edge, limiter: limiters.limiter, admit })
  const GET: Handler = (request, reply) => reply.send({ limit: request.quota?.limit })
  addRoutes(app, edge, [{ path: '/api/x', handlers: { GET } }])
  const ask = async (bearer?: string, remoteAddress = '192.0.2.1') => {
    const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
    const { statusCode, body } = await app.inject({ url: '/api/x', headers, remoteAddress })
    const { code, limit } = JSON.parse(body) as { code?: string; limit?: string }
    return statusCode === 200 ? limit : `${code} ${limit}`
  }
  return { ask, verified: () => verified }
}

describe('a request', () => {
  it('with any number of valid tokens has the larger quota once, because the quota belongs to the address', async () => {
    const { ask } = setup()
    const answers: (string | undefined)[] = []
    for (const token of ['good-1', 'good-2', 'good-3', 'good-4', 'good-5']) {
      answers.push(await ask(token))
    }
    expect(answers.slice(3)).toEqual(['"token";r=0;t=60', 'rate-limited "token";r=0;t=60'])
    expect(await ask('good-5', '192.0.2.2')).toBe('"token";r=3;t=60')
  })

  it('with an invalid token counts against the small quota', async () => {
    const { ask } = setup()
    expect(await ask('bad')).toBe('invalid-token "default";r=1;t=60')
    expect(await ask('later')).toBe('tokens-uncheckable "default";r=0;t=60')
    expect(await ask('bad')).toBe('rate-limited "default";r=0;t=60')
    expect(await ask()).toBe('rate-limited "default";r=0;t=60')
  })

  it('with a further invalid token beyond the limit is refused before any verification', async () => {
    const { ask, verified } = setup()
    for (let count = 0; count < 5; count++) await ask(`bad-${count}`)
    expect(verified()).toBe(2)
  })

  it('costs both quotas of its address what it takes', () => {
    const perMinute = { rateLimitPerMinute: 2, rateLimitWithTokenPerMinute: 4 }
    const { limiter, withToken, chargeRead } = createQuotas(perMinute, createFakeClock())
    chargeRead('192.0.2.1', 600_000)
    const isSpent = (address: string) => [limiter.isSpent(address), withToken.isSpent(address)]
    expect(isSpent('192.0.2.1')).toEqual([true, true])
    expect(isSpent('192.0.2.2')).toEqual([false, false])
  })
})
