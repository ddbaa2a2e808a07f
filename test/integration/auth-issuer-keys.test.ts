// Tests of the keys of an identity provider: where they are fetched from, how often, and the answers without them.
import { describe, expect, it } from 'vitest'
import { BASE_URL, expectRefusal } from '../support/auth/auth-rig.ts'
import { exchange, register, setupIdJag as setup } from '../support/auth/id-jag-rig.ts'

describe('the keys of an issuer', () => {
  it('are fetched once, and again for a new key, but not for every unknown one', async () => {
    const { rig, idp } = await setup()
    for (let count = 0; count < 5; count++) await register(rig, await idp.issue(BASE_URL))
    expect(idp.countKeyRequests()).toBe(1)
    await idp.rotate()
    expectRefusal(await register(rig, await idp.issue(BASE_URL)), 400, 'invalid_signature')
    expect(idp.countKeyRequests()).toBe(1)
    await rig.advance(31_000)
    expect((await register(rig, await idp.issue(BASE_URL))).status).toBe(200)
    expect(idp.countKeyRequests()).toBe(2)
    for (let count = 0; count < 20; count++) {
      const unknown = await idp.issue(BASE_URL, { header: { kid: `unknown-${count}` } })
      expectRefusal(await register(rig, unknown), 400, 'invalid_signature')
    }
    expect(idp.countKeyRequests()).toBe(2)
  })

  it('cause 503 with the time of the next request if they cannot be fetched, and stay valid for a while after a fetch', async () => {
    const { rig, idp } = await setup()
    idp.answer((_request, response) => response.writeHead(500).end())
    for (const answer of [
      await register(rig, await idp.issue(BASE_URL)),
      await exchange(rig, await idp.issue(BASE_URL)),
    ]) {
      expectRefusal(answer, 503, 'temporarily_unavailable')
      expect(answer.headers['retry-after']).toBe('30')
    }
    expect(idp.countKeyRequests()).toBe(1)
    idp.answer(undefined)
    await rig.advance(31_000)
    expect((await register(rig, await idp.issue(BASE_URL))).status).toBe(200)
    idp.answer((_request, response) => response.writeHead(500).end())
    await rig.advance(3_600_000)
    expect((await register(rig, await idp.issue(BASE_URL))).status).toBe(200)
  })

  it('are fetched from the URL that the metadata of the issuer names', async () => {
    const { rig, idp } = await setup()
    const path = '/.well-known/oauth-authorization-server'
    idp.publish({
      [path]: { issuer: idp.issuer, jwks_uri: `${idp.issuer}/oauth2/v1/keys` },
      '/oauth2/v1/keys': idp.keySet(),
    })
    expect((await register(rig, await idp.issue(BASE_URL))).status).toBe(200)
    expect(idp.countKeyRequests()).toBe(0)
  })

  it('at a wrong URL are a mistake of the operator, not a temporary failure', async () => {
    const { rig, idp, another } = await setup()
    const wrong = await setup({ TRUSTED_ISSUERS: `${idp.issuer}|${idp.issuer}/nothing` })
    const answer = await register(wrong.rig, await idp.issue(BASE_URL))
    expectRefusal(answer, 400, 'issuer_not_enabled')
    expect(answer.json().error_description).toContain('does not find its keys')
    expect(answer.headers['retry-after']).toBeUndefined()
    expectRefusal(await exchange(wrong.rig, await idp.issue(BASE_URL)), 400, 'invalid_grant')
    idp.publish({
      '/.well-known/openid-configuration': { issuer: 'https://x.test', jwks_uri: idp.issuer },
    })
    for (const each of [rig, await another()]) {
      const refused = await register(each, await idp.issue(BASE_URL))
      expectRefusal(refused, 400, 'issuer_not_enabled')
    }
  })

  it('are not fetched through redirects, without a size limit, or from this machine by default', async () => {
    const { rig, idp } = await setup()
    const listeners = [
      (_request: unknown, response: import('node:http').ServerResponse) =>
        void response.writeHead(302, { location: `${idp.issuer}/elsewhere` }).end(),
      (_request: unknown, response: import('node:http').ServerResponse) =>
        void response.end(`{"keys":[${' '.repeat(100_000)}]}`),
      (_request: unknown, response: import('node:http').ServerResponse) =>
        void response.end('<html>'),
      (_request: unknown, response: import('node:http').ServerResponse) =>
        void response.end('{"keys":7}'),
    ]
    for (const listener of listeners) {
      idp.answer(listener)
      const before = idp.countKeyRequests()
      const answer = await register(rig, await idp.issue(BASE_URL))
      expectRefusal(answer, 400, 'issuer_not_enabled')
      expect(idp.countKeyRequests()).toBe(before + 1)
      await rig.advance(31_000)
    }
    idp.answer(undefined)
    const strict = await setup({ ALLOW_LOOPBACK_ISSUERS: 'false' })
    const refused = await register(strict.rig, await strict.idp.issue(BASE_URL))
    expectRefusal(refused, 400, 'issuer_not_enabled')
    expect(strict.idp.countKeyRequests()).toBe(0)
  })
})
