// Any number of hostile facts about agents: revocations are accepted and end all tokens, memory is bounded, and other clients keep
// their quotas.
import { afterEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../auth/contract/agent-events.ts'
import { encodeAgentEvent } from '../../auth/contract/agent-events.ts'
import type { EventLog, LogRecord } from '../../infra/base/log/event-log.ts'
import {
  type AuthRig,
  createAuthBackend,
  createAuthRig,
  expectRefusal,
  type Registered,
  registerAnonymously,
  useAuthRigs,
} from '../support/auth/auth-rig.ts'
import { complete, poll, start } from '../support/auth/claim-steps.ts'
import { createTestWallet } from '../support/auth/test-wallet.ts'
import { createMemoryLogStorage, openMemoryLog } from '../support/log/memory-log.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const HOUR_MS = 3_600_000

/** The fact that `POST /oauth2/revoke` writes for an anonymous registration. */
const revocation = (number: number, timeMs: number): AgentEvent => {
  const time = new Date(timeMs).toISOString()
  return {
    specversion: '1.0',
    id: '01900000-0000-7000-8000-000000000000',
    source: '/agents',
    subject: `tokens/${number}`,
    type: 'rollcall.token.revoked.v1',
    time,
    datacontenttype: 'application/json',
    data: {
      kind: 'identity_assertion',
      tokenId: `token-${number}`,
      registeredAt: time,
      subject: `reg_${String(number).padStart(22, '0')}`,
      expires: new Date(timeMs + HOUR_MS).toISOString(),
    },
  }
}

/** A log that begins with `count` generated revocations and continues in memory. */
const floodedLog = (count: number, endMs: number): EventLog => {
  const rest = openMemoryLog(createMemoryLogStorage(), { shared: true })
  const first = BigInt(count)
  const record = (offset: bigint): LogRecord => {
    const timeMs = endMs - 12 * HOUR_MS + Math.floor((Number(offset) / count) * 11 * HOUR_MS)
    const value = encodeAgentEvent(revocation(Number(offset), timeMs))
    return { offset, height: Math.floor(timeMs / 1_000), timeMs, value }
  }
  return {
    ...rest,
    read: async (from, limits) => {
      if (from >= first) {
        const records = await rest.read(from - first, limits)
        return records.map((each) => ({ ...each, offset: each.offset + first }))
      }
      const size = Math.min(limits.maxRecords, count - Number(from))
      return Array.from({ length: size }, (_, at) => record(from + BigInt(at)))
    },
    append: async (entries) => (await rest.append(entries)) + first,
    end: async () => (await rest.end()) + first,
    offsetOfHeight: async () => 0n,
    waitFor: (from, options) => rest.waitFor(from - first, options),
  }
}

describe('a log of agents that hostile clients filled', () => {
  it('accepts the revocation of a stolen token, and keeps every relevant revocation', {
    tags: 'auth:revocation-is-never-refused',
  }, async () => {
    const backend = await createAuthBackend()
    ends.push(backend.remove)
    const count = 1_000_001
    const rig = await createAuthRig({ backend, log: floodedLog(count, backend.clock.now()) })
    ends.push(rig.close)
    await expect.poll(() => rig.auth.ready().ready, { timeout: 150_000, interval: 200 }).toBe(true)

    const victim = await registerAnonymously(rig)
    expect((await rig.bearer(victim.access_token)).ok).toBe(true)
    const revoked = await rig.postForm('/oauth2/revoke', { token: victim.access_token })
    expect(revoked.status).toBe(200)
    expect((await rig.bearer(victim.access_token)).ok).toBe(false)
    await rig.postForm('/oauth2/revoke', { token: victim.identity_assertion })
    const { claim_token } = victim
    expectRefusal(
      await rig.postJson('/agent/identity/claim', { claim_token }),
      410,
      'claim_revoked',
    )

    const other = await registerAnonymously(rig)
    expect((await rig.bearer(other.access_token)).ok).toBe(true)
    expect(
      (await rig.postJson('/agent/identity/claim', { claim_token: other.claim_token })).status,
    ).toBe(200)
  })
})

const setup = useAuthRigs()

const from = (rig: AuthRig, remoteAddress: string) => {
  const send = (url: string, type: string, payload: string) =>
    rig.send('POST', url, { headers: { 'content-type': type }, payload, remoteAddress })
  return {
    register: () => send('/agent/identity', 'application/json', '{"type":"anonymous"}'),
    revoke: (token: string) =>
      send('/oauth2/revoke', 'application/x-www-form-urlencoded', `token=${token}`),
    claim: (token: string) =>
      send('/agent/identity/claim', 'application/json', JSON.stringify({ claim_token: token })),
  }
}

describe('a clock that jumps ahead and back', () => {
  const DAY_MS = 24 * HOUR_MS
  it('revives no revoked token, and no token is accepted before the log was read again', async () => {
    const rig = await setup()
    const { clock } = rig.backend
    const agent = await registerAnonymously(rig)
    expect((await rig.bearer(agent.access_token)).ok).toBe(true)
    await rig.postForm('/oauth2/revoke', { token: agent.identity_assertion })
    const other = await registerAnonymously(rig)
    clock.advance(2 * DAY_MS)
    await expect.poll(() => rig.auth.ready().ready).toBe(true)
    clock.advance(11_000)
    await registerAnonymously(rig)
    clock.advance(-2 * DAY_MS)
    expect((await rig.bearer(agent.access_token)).ok).toBe(false)
    await expect.poll(() => rig.auth.ready().ready).toBe(true)
    expect((await rig.bearer(agent.access_token)).ok).toBe(false)
    expect((await rig.bearer(other.access_token)).ok).toBe(true)
  })
})

const LIMITS = { REGISTRATIONS_PER_MINUTE: '4' }
const successes = (statuses: readonly number[]) =>
  statuses.filter((status) => status === 200).length

describe('a flood from many addresses', () => {
  it('registers at most the common budget, and every other network keeps its share', async () => {
    const rig = await setup({ env: LIMITS })
    const statuses: number[] = []
    for (let at = 0; at < 120; at++) {
      statuses.push((await from(rig, `192.0.2.${at % 12}`).register()).status)
    }
    // 12 addresses × 4 would be 48 of 40; once those are spent, each may still take its reserve.
    expect(successes(statuses)).toBe(48)
    expect((await from(rig, '198.51.100.1').register()).status).toBe(200)
    const single: number[] = []
    for (let at = 0; at < 200; at++) {
      single.push((await from(rig, `2001:db8:1:${at.toString(16)}::1`).register()).status)
    }
    // One /48 with 200 /64s is one network: only its reserve is left.
    expect(successes(single)).toBe(5)
  })

  it('that revokes and claims does not keep a victim from revoking a stolen token', {
    tags: 'auth:revocation-is-never-refused',
  }, async () => {
    const rig = await setup({
      env: { REGISTRATIONS_PER_MINUTE: '100' },
      config: { totalRegistrationsPerMinute: 40 },
    })
    const attackers: { address: string; token: string; claim: string }[] = []
    for (let at = 0; at < 100; at++) {
      if (at % 40 === 0) rig.backend.clock.advance(60_000)
      const address = `203.0.113.${at % 3}`
      const body = (await from(rig, address).register()).json()
      attackers.push({ address, token: body.access_token, claim: body.claim_token })
    }
    const victim = (await from(rig, '198.51.100.7').register()).json()
    for (const { address, token, claim } of attackers) {
      await from(rig, address).claim(claim)
      await from(rig, address).revoke(token)
    }
    const refused = await from(rig, attackers[0]!.address).revoke(victim.identity_assertion)
    expectRefusal(refused, 429, 'rate_limited')
    const revoked = await from(rig, '198.51.100.7').revoke(victim.access_token)
    expect(revoked.status).toBe(200)
    expect((await rig.bearer(victim.access_token)).ok).toBe(false)
  })
})

const revoke = (rig: AuthRig, token: string) => rig.postForm('/oauth2/revoke', { token })
const exchange = (rig: AuthRig, assertion: string) =>
  rig.postForm('/oauth2/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion,
  })
const isValid = async (rig: AuthRig, token: string) => (await rig.bearer(token)).ok

const expectEnded = async (rig: AuthRig, agent: Registered): Promise<void> => {
  const { claim_token } = agent
  expectRefusal(await rig.postJson('/agent/identity/claim', { claim_token }), 410, 'claim_revoked')
  expectRefusal(await poll(rig, agent), 400, 'expired_token')
  expect(await isValid(rig, agent.access_token)).toBe(false)
  expectRefusal(await exchange(rig, agent.identity_assertion), 400, 'invalid_grant')
}

const claimed = async (rig: AuthRig) => {
  const agent = await registerAnonymously(rig)
  const wallet = await createTestWallet(3)
  const { token } = await start(rig, agent)
  expect((await complete(rig, token, wallet)).status).toBe(200)
  return { agent, wallet, token }
}

describe('a revocation', () => {
  it('by an identity assertion that has expired ends the claim token and the access tokens', async () => {
    const rig = await setup({ config: { identityAssertionSeconds: 60 } })
    const agent = await registerAnonymously(rig)
    await rig.advance(63_000)
    expect(await isValid(rig, agent.access_token)).toBe(true)
    expect((await revoke(rig, agent.identity_assertion)).status).toBe(200)
    await expectEnded(rig, agent)
  })

  it('by a claim token ends the registration, before and after it is claimed', async () => {
    const rig = await setup()
    const agent = await registerAnonymously(rig)
    expect((await revoke(rig, agent.claim_token)).status).toBe(200)
    await expectEnded(rig, agent)

    const { agent: second } = await claimed(rig)
    const collected = (await poll(rig, second)).json()
    expect(await isValid(rig, collected.access_token)).toBe(true)
    expect((await revoke(rig, second.claim_token)).status).toBe(200)
    expect(await isValid(rig, collected.access_token)).toBe(false)
    expectRefusal(await exchange(rig, collected.identity_assertion), 400, 'unauthorized_client')
  })
})

describe('a claim', () => {
  it('ends the identity assertion and the access tokens from before', {
    tags: 'auth:claim-ends-earlier-tokens',
  }, async () => {
    const rig = await setup()
    const { agent } = await claimed(rig)
    expect(await isValid(rig, agent.access_token)).toBe(false)
    expectRefusal(await exchange(rig, agent.identity_assertion), 400, 'invalid_grant')
    const { identity_assertion: renewed } = (await poll(rig, agent)).json()
    const answer = await exchange(rig, renewed)
    expect(await isValid(rig, answer.json().access_token)).toBe(true)
    expectRefusal(await exchange(rig, agent.identity_assertion), 400, 'invalid_grant')
  })
})
