// Errors that clients see: a defect has a code and no details; a temporary failure has Retry-After.
import { expect, it } from 'vitest'
import { AuthError, type AuthErrorCode } from '../../../auth/oauth-error.ts'
import { createAuthEdge } from '../../../auth/routes/route.ts'
import { addRoutes } from '../../../infra/base/http/routes.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import { createPlainServer } from '../../support/http/plain-server.ts'
import { recordingLogger, silentLogger } from '../../support/process/log-lines.ts'

/** An application whose paths fail. */
const setup = (
  failures: Readonly<Record<string, Error>>,
  logger: Logger,
  onError: (code: AuthErrorCode) => void = () => undefined,
) => {
  const edge = createAuthEdge({ logger, onError })
  const app = createPlainServer({ edge, logger })
  const routes = Object.entries(failures).map(([path, error]) => ({
    path,
    handlers: { GET: () => Promise.reject(error) },
  }))
  addRoutes(app, edge, routes)
  return app
}

const getResponse = async (thrown: Error) => {
  const codes: AuthErrorCode[] = []
  const app = setup({ '/': thrown }, silentLogger(), (code) => codes.push(code))
  const { statusCode, headers, body } = await app.inject('/')
  return { statusCode, headers, body, codes, error: JSON.parse(body).error as string }
}

it('a defect is a server_error without details, and is not cached', async () => {
  const answer = await getResponse(new TypeError('the secret is undefined'))
  expect([answer.statusCode, answer.error, answer.codes]).toEqual([
    500,
    'server_error',
    ['server_error'],
  ])
  expect(answer.body).not.toContain('secret')
  expect(answer.headers['cache-control']).toBe('no-store')
})

it.each(['AGENTS_LOG_UNAVAILABLE', 'KEYS_UNUSABLE', 'DEADLINE_EXCEEDED'] as const)(
  '%s is a temporary failure with Retry-After',
  async (code) => {
    const answer = await getResponse(new AppError(code, 'the broker at 10.0.0.1 is away'))
    expect([answer.statusCode, answer.error]).toEqual([503, 'temporarily_unavailable'])
    expect(answer.headers['retry-after']).toBe('1')
    expect(answer.body).not.toContain('10.0.0.1')
  },
)

it('a refusal is not logged, and an outage is one warning without a stack, however many requests meet it', async () => {
  const { logger, lines } = recordingLogger()
  const refusal = 'The keys of the issuer are unavailable now.'
  const failures = {
    '/refused': new AuthError('temporarily_unavailable', refusal),
    '/away': new AppError('AGENTS_LOG_UNAVAILABLE', 'no broker answers'),
  }
  const app = setup(failures, logger)
  for (const url of ['/refused', '/away', '/away', '/refused']) await app.inject(url)
  expect(lines).toMatchObject([{ level: 'warn', reason: 'no broker answers' }])
  expect(JSON.stringify(lines)).not.toContain('at async')
})
