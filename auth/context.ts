// Dependencies of the routes of this package.
import { createHash, randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../infra/base/runtime/clock.ts'
import type { AgentFacts } from './agents/agent-facts.ts'
import type { AuthMetrics } from './auth-metrics.ts'
import type { AuthConfig } from './config.ts'
import type { ServiceDescription } from './contract/service.ts'
import type { IdJagVerifier } from './issuers/id-jag.ts'
import type { KeyRing } from './keys/key-ring.ts'
import type { Clients } from './logins/clients.ts'
import { AuthError, rateLimited } from './oauth-error.ts'
import { createQuota, type Quota } from './quotas.ts'
import type { Tokens } from './tokens/tokens.ts'

export type AuthContext = {
  config: AuthConfig
  clock: Clock
  /** Known once the service listens. */
  service: () => ServiceDescription
  /** The path of `BASE_URL`, such as `/rollcall`; empty if it has none. */
  basePath: string
  ring: KeyRing
  tokens: Tokens
  facts: AgentFacts
  idJag: IdJagVerifier
  clients: Clients
  metrics: AuthMetrics
  limits: Limits
}

/** Counted separately; `login` and `claimPage` count the requests of pages, `redeem` the codes and refresh tokens. */
type Limits = Readonly<
  Record<
    'register' | 'clientCredentials' | 'claim' | 'claimPage' | 'login' | 'redeem' | 'revoke',
    Quota
  >
>

export const createLimits = (config: AuthConfig, clock: Clock): Limits => {
  const { registrationsPerMinute: perAddress, totalRegistrationsPerMinute: total } = config
  const quota = (perDay?: number) =>
    createQuota({ perAddress, total, ...(perDay === undefined ? {} : { perDay }) }, clock)
  return {
    register: quota(),
    clientCredentials: quota(),
    claim: quota(config.claimsPerDay),
    claimPage: quota(),
    login: quota(),
    redeem: quota(config.revocationsPerDay),
    revoke: quota(config.revocationsPerDay),
  }
}

export const takeQuota = (quota: Quota, request: FastifyRequest): void => {
  const { isExceeded, resetSeconds } = quota.take(request.ip)
  if (isExceeded) throw rateLimited(resetSeconds)
}

/** Revocations and claims must be known before a token is issued. */
export const requireFresh = ({ facts }: AuthContext): void => {
  if (facts.isFresh()) return
  throw new AuthError('temporarily_unavailable', 'The revocations are unavailable now.')
}

/** Secrets and foreign identifiers are compared and stored as hashes only. */
export const computeHash = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

/** 122 random bits. */
export const newId = (prefix: string): string =>
  prefix + Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url')

export const instant = (ms: number): string => new Date(ms).toISOString()
