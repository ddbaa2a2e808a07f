// The page of a claim and the small API behind it: framed by nobody, kept by nobody, asked by nobody else.
import { afterEach, describe, expect, it } from 'vitest'
import {
  type AuthRig,
  BASE_URL,
  createAuthRig,
  expectRefusal,
  registerAnonymously,
} from '../support/auth-rig.ts'

const rigs: AuthRig[] = []
afterEach(async () => {
  for (const rig of rigs.splice(0)) {
    await rig.close()
    rig.place.remove()
  }
})
const setup = async () => {
  const rig = await createAuthRig()
  rigs.push(rig)
  return { rig, agent: await registerAnonymously(rig) }
}
const step = (rig: AuthRig, name: string, token: string | null) =>
  rig.postJson(`/delegation/${name}`, { claim_attempt_token: token })
/** The token of an attempt, as the agent hands it to its human. */
const tokenOf = async (rig: AuthRig, claimToken: string) => {
  const answer = await rig.postJson('/agent/identity/claim', { claim_token: claimToken })
  const { verification_uri: uri } = answer.json().claim_attempt
  return new URLSearchParams(new URL(uri).hash.slice(1)).get('claim_attempt_token')
}

describe('the claim page', () => {
  it('is plain, framed by nobody, kept by nobody, and loads nothing from elsewhere', async () => {
    const { rig } = await setup()
    const page = await rig.send('GET', '/delegation')
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers['content-security-policy']).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    )
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.headers['referrer-policy']).toBe('no-referrer')
    expect(page.text).not.toMatch(/https?:|<script>|style=| on\w+=/)
    const script = await rig.send('GET', '/delegation/page.js')
    expect(script.headers['content-type']).toMatch(/^text\/javascript/)
    expect(() => new Function(script.text)).not.toThrow()
  })

  it('is no authorization endpoint: it redirects nobody, and takes no token in its address', async () => {
    const { rig } = await setup()
    for (const query of [
      'response_type=code&client_id=x&redirect_uri=https://evil.example.org/',
      'claim_attempt_token=x',
    ]) {
      const page = await rig.send('GET', `/delegation?${query}`)
      expect([page.status, page.headers['location']]).toEqual([400, undefined])
      expect(page.text).not.toContain('evil')
    }
  })

  it('is the only one that may ask', async () => {
    const { rig, agent } = await setup()
    const token = await tokenOf(rig, agent.claim_token)
    const ask = (headers: Record<string, string>) =>
      rig.postJson('/delegation/attempt', { claim_attempt_token: token }, headers)
    expectRefusal(await ask({ origin: 'https://evil.example.org' }), 403, 'foreign_origin')
    expectRefusal(await ask({ origin: 'null' }), 403, 'foreign_origin')
    expectRefusal(await ask({ 'sec-fetch-site': 'cross-site' }), 403, 'foreign_origin')
    const own = await ask({ origin: BASE_URL, 'sec-fetch-site': 'same-origin' })
    expect([own.status, own.headers['access-control-allow-origin']]).toEqual([200, undefined])
    expectRefusal(await step(rig, 'attempt', 'x'), 401, 'invalid_claim_token')
    expectRefusal(await step(rig, 'attempt', null), 400, 'invalid_request')
  })
})
