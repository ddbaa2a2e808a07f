// Revocations: access tokens one by one, registrations with all their tokens. Bounded, and never a reason to refuse a
// revocation.
import type { AgentEventOf } from '../contract/claims.ts'
import { createExpiringMap } from './expiring-map.ts'
import { createRevokedSet } from './revoked-set.ts'

/** Access tokens and anonymous registrations, each; about 100 bytes an entry. */
const MAX_REVOKED = 500_000

export const createAgentRevocations = (
  keepMs: number,
  isClaimed: (registrationId: string) => boolean,
) => {
  /** By expiry time. */
  const tokens = createRevokedSet(MAX_REVOKED)
  /** Unclaimed anonymous registrations, by registration time. */
  const anonymous = createRevokedSet(MAX_REVOKED)
  /** All other registrations, with the token that ended each: bounded by the ceilings of claims and registrations. */
  const others = createExpiringMap<string>()
  return {
    apply: ({ data, time }: AgentEventOf<'rollcall.token.revoked.v1'>): void => {
      const { kind, subject, registeredAt, tokenId } = data
      if (kind === 'access_token') tokens.add(tokenId, Date.parse(data.expires))
      else if (registeredAt === undefined || isClaimed(subject)) {
        // A registration's tokens may outlive the token that ended it.
        others.set(subject, tokenId, Date.parse(time) + keepMs)
      } else anonymous.add(subject, Date.parse(registeredAt))
    },
    prune: (nowMs: number): void => {
      tokens.prune(nowMs)
      anonymous.prune(nowMs - keepMs)
      others.prune(nowMs)
    },
    isTokenRevoked: (tokenId: string, expiresMs: number): boolean => tokens.has(tokenId, expiresMs),
    isRegistrationRevoked: (id: string, registeredMs: number | undefined): boolean =>
      // Only its own revocation ends a claimed registration.
      others.has(id) || anonymous.has(id, isClaimed(id) ? undefined : registeredMs),
    revokingToken: (id: string): string | undefined => others.get(id),
    size: (): number => tokens.size() + anonymous.size() + others.size(),
  }
}
