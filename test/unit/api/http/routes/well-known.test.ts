// The files at fixed paths: the security contact, which never expires, and the icon.
import { expect, it } from 'vitest'
import { readApiConfig } from '../../../../../api/config.ts'
import { createWellKnownRoutes } from '../../../../../api/http/routes/well-known.ts'
import { addRoutes } from '../../../../../infra/base/http/routes.ts'
import { createPlainServer, PLAIN_EDGE } from '../../../../support/http/plain-server.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'

const setup = (securityContact: string | undefined) => {
  const app = createPlainServer()
  const startMs = Date.parse('2026-11-21T08:00:00Z')
  addRoutes(
    app,
    PLAIN_EDGE,
    createWellKnownRoutes({ securityContact, clock: createFakeClock({ startMs }) }),
  )
  return app
}

it('security.txt has the contact, and an end in less than a year', async () => {
  const answer = await setup('mailto:security@example.org').inject('/.well-known/security.txt')
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(answer.body.split('\n')).toEqual([
    'Contact: mailto:security@example.org',
    'Expires: 2027-05-21T00:00:00.000Z',
    'Preferred-Languages: en',
    '',
  ])
})

it('without a contact, security.txt does not exist, and the answer names the setting', async () => {
  const answer = await setup(undefined).inject('/.well-known/security.txt')
  expect(answer.body).toContain('SECURITY_CONTACT')
})

it('a contact is a URI', () => {
  const read = (SECURITY_CONTACT: string) => readApiConfig({ SECURITY_CONTACT }).securityContact
  expect(read('https://example.org/security')).toBe('https://example.org/security')
  for (const wrong of ['security@example.org', 'http://x.test', 'mailto:a b@c.test']) {
    expect(() => read(wrong)).toThrow(/mailto:security@example\.org/)
  }
})

it('favicon.ico is the icon of the site', async () => {
  const answer = await setup(undefined).inject('/favicon.ico')
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([
    200,
    'image/svg+xml; charset=utf-8',
  ])
})
