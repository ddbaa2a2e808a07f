// Generates events of the log of agents for tests: few registrations and few attempts with any outcome.
import fc from 'fast-check'
import { encodeAgentEvent } from '../../../auth/contract/agent-codec.ts'
import type { AgentEvent } from '../../../auth/contract/claims.ts'
import type { LogEntry } from '../../../infra/base/log/event-log.ts'

const START_MS = Date.parse('2026-11-21T08:00:00.000Z')
const HASH = 'A'.repeat(43)

export const toRegistrationId = (registration: number): string =>
  `reg_${registration}`.padEnd(20, '0')
const toAttemptId = (attempt: number): string => `cla_${attempt}`.padEnd(20, '0')

export type AgentStep = {
  kind: 'started' | 'completed' | 'denied' | 'revoked' | 'registered' | 'advanced'
  registration: number
  attempt: number
  /** The signer, or the token. */
  by: number
  /** Time since the step before. */
  afterMs: number
}

const createData = ({ kind, registration, attempt, by }: AgentStep, time: string): object => {
  const ids = { registrationId: toRegistrationId(registration), attemptId: toAttemptId(attempt) }
  const times = { registeredAt: time, startedAt: time, expires: time }
  switch (kind) {
    case 'started':
      return {
        ...ids,
        ...times,
        attemptTokenHash: HASH,
        userCode: 'ABCD-EFGH',
        nonce: 'a nonce',
        loginHint: null,
        clientName: by % 2 === 0 ? null : 'An agent',
      }
    case 'completed':
      return {
        ...ids,
        chainId: 'cosmoshub-4',
        address: `cosmos1${by}`,
        publicKey: 'AAAA',
        algorithm: 'secp256k1',
      }
    case 'denied':
      return ids
    case 'revoked':
      return {
        kind: by % 2 === 0 ? 'access_token' : 'identity_assertion',
        tokenId: `token-${by}`,
        subject: ids.registrationId,
        expires: time,
      }
    case 'advanced':
      return { loginId: `lgn_${registration}`.padEnd(20, '0'), step: attempt, expires: time }
    case 'registered':
      return {
        registrationId: ids.registrationId,
        issuer: 'https://idp.example',
        agentHash: HASH,
        jtiHash: HASH,
        assertionExpires: time,
      }
  }
}

const TYPES = {
  started: 'rollcall.claim.started.v1',
  completed: 'rollcall.claim.completed.v1',
  denied: 'rollcall.claim.denied.v1',
  revoked: 'rollcall.token.revoked.v1',
  registered: 'rollcall.agent.registered.v1',
  advanced: 'rollcall.login.advanced.v1',
} as const

export const createAgentEvents = (steps: readonly AgentStep[]): AgentEvent[] => {
  let timeMs = START_MS
  return steps.map((step, at) => {
    timeMs += step.afterMs
    const time = new Date(timeMs).toISOString()
    const id = `01900000-0000-7000-8000-${String(at).padStart(12, '0')}`
    return {
      specversion: '1.0',
      id,
      source: '/agents',
      subject: 'agents/x',
      type: TYPES[step.kind],
      time,
      datacontenttype: 'application/json',
      data: createData(step, time),
    } as AgentEvent
  })
}

export const toAgentLogEntry = (event: AgentEvent): LogEntry => {
  const timeMs = Date.parse(event.time)
  return { height: Math.floor(timeMs / 1_000), timeMs, value: encodeAgentEvent(event) }
}

/** `longestPauseMs`: the longest pause between two events. */
export const agentSteps = (longestPauseMs: number): fc.Arbitrary<AgentStep[]> =>
  fc.array(
    fc.record({
      // Most steps belong to claims.
      kind: fc.constantFrom(
        ...(['started', 'completed', 'denied', 'started', 'completed'] as const),
        ...(['revoked', 'registered', 'advanced'] as const),
      ),
      registration: fc.nat(2),
      attempt: fc.nat(2),
      by: fc.nat(3),
      afterMs: fc.nat(longestPauseMs),
    }),
    { maxLength: 40 },
  )
