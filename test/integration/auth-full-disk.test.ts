// Tests of revocations that the log cannot take: the token is refused from memory, and the log has them later.
import { describe, expect, it } from 'vitest'
import {
  type AuthRig,
  expectRefusal,
  type Registered,
  registerAnonymously,
  useAuthRigs,
} from '../support/auth/auth-rig.ts'

const setup = useAuthRigs()

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const revoke = (rig: AuthRig, token: string) => rig.postForm('/oauth2/revoke', { token })
const isValid = async (rig: AuthRig, token: string) => (await rig.bearer(token)).ok
const exchange = (rig: AuthRig, assertion: string) =>
  rig.postForm('/oauth2/token', { grant_type: JWT_BEARER, assertion })

describe('on a full disk', () => {
  it.each([
    ['an access token', ({ access_token: token }: Registered) => token],
    ['an identity assertion', ({ identity_assertion: token }: Registered) => token],
    ['a claim token', ({ claim_token: token }: Registered) => token],
  ])(
    'the revocation of %s is refused until it is written, and the access token is refused at once',
    async (_, select) => {
      const rig = await setup()
      const agent = await registerAnonymously(rig)
      const other = await registerAnonymously(rig)
      rig.setFull(true)
      for (let time = 0; time < 3; time++) {
        const answer = await revoke(rig, select(agent))
        expectRefusal(answer, 503, 'temporarily_unavailable')
        expect(answer.headers['retry-after']).toBe('1')
        expect(await rig.bearer(agent.access_token)).toMatchObject({
          ok: false,
          isUnavailable: false,
          reason: expect.stringContaining('revoked'),
        })
      }
      expect(await isValid(rig, other.access_token)).toBe(true)
      expect(rig.events()).toEqual([])
      rig.setFull(false)
      expect((await revoke(rig, select(agent))).status).toBe(200)
      expect((await revoke(rig, select(agent))).status).toBe(200)
      expect(rig.events()).toHaveLength(1)
      expect(await isValid(rig, agent.access_token)).toBe(false)
    },
  )

  it('a revoked assertion buys no token', async () => {
    const rig = await setup()
    const agent = await registerAnonymously(rig)
    rig.setFull(true)
    await revoke(rig, agent.claim_token)
    expect((await exchange(rig, agent.identity_assertion)).json().error).toBe('invalid_grant')
    const claim = await rig.postJson('/agent/identity/claim', { claim_token: agent.claim_token })
    expect(claim.json().error).toBe('claim_revoked')
  })

  it('revocations are appended again without a request, once each', async () => {
    const rig = await setup()
    const agents = [await registerAnonymously(rig), await registerAnonymously(rig)]
    rig.setFull(true)
    for (const { access_token: token } of agents) await revoke(rig, token)
    rig.setFull(false)
    await expect
      .poll(
        () => {
          rig.backend.clock.advance(1_000)
          return rig.events().length
        },
        { interval: 20 },
      )
      .toBe(agents.length)
    const other = await setup({ backend: rig.backend })
    for (const { access_token: token } of agents) expect(await isValid(other, token)).toBe(false)
    rig.backend.clock.advance(10_000)
    await rig.advance(0)
    expect(rig.events()).toHaveLength(agents.length)
  })
})
