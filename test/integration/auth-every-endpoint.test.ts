// What every endpoint of the agents refuses alike, with nothing written.
import { afterEach, describe, expect, it } from 'vitest'
import { type AuthRig, BASE_URL, createAuthRig, expectRefusal } from '../support/auth-rig.ts'

const rigs: AuthRig[] = []
afterEach(async () => {
  for (const rig of rigs.splice(0)) {
    expect(rig.events()).toEqual([])
    await rig.close()
    rig.place.remove()
  }
})
const setup = async (): Promise<AuthRig> => {
  const rig = await createAuthRig()
  rigs.push(rig)
  return rig
}

const FORM = 'application/x-www-form-urlencoded'

const EVERY_POST = [
  '/agent/identity',
  '/agent/identity/claim',
  '/oauth2/token',
  '/oauth2/revoke',
  '/delegation/attempt',
  '/delegation/text',
  '/delegation/complete',
  '/delegation/deny',
]

describe('every endpoint', () => {
  it('refuses a body that is too large with 413, before it is read', async () => {
    const rig = await setup()
    for (const url of EVERY_POST) {
      for (const type of ['application/json', FORM]) {
        const headers = { 'content-type': type }
        const answer = await rig.send('POST', url, { headers, payload: 'x'.repeat(30_000) })
        expectRefusal(answer, 413, 'invalid_request')
      }
    }
  })

  it('refuses parameters in the address', async () => {
    const rig = await setup()
    for (const url of EVERY_POST) {
      const answer = await rig.postJson(`${url}?access_token=x`, { type: 'anonymous' })
      expectRefusal(answer, 400, 'invalid_request')
    }
  })

  it('refuses other methods with 405 and Allow, and does nothing', async () => {
    const rig = await setup()
    for (const url of EVERY_POST) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await rig.send(method, url)
        expectRefusal(answer, 405, 'method_not_allowed')
        expect(answer.headers['allow']).toBe('POST, OPTIONS')
      }
    }
  })

  it('names the issuer in no other way than the configured one, whatever Host says', async () => {
    const rig = await setup()
    const headers = { host: 'evil.example.org', 'x-forwarded-host': 'evil.example.org' }
    const answer = await rig.send('GET', '/.well-known/oauth-authorization-server', { headers })
    expect(answer.json().issuer).toBe(BASE_URL)
    expect(answer.text).not.toContain('evil')
  })
})
