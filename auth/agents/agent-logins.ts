// Logins: how far each was used. Its code and its refresh tokens are numbered, and each may be used once.
import type { AgentEventOf } from '../contract/claims.ts'
import { createExpiringMap } from './expiring-map.ts'

/** `eventId`: the use that counts. `isEnded`: it was revoked, or a step was used twice. */
export type LoginUse = { step: number; eventId: string; isEnded: boolean }

/** About 200 bytes each. Beyond it the login that was not used for longest is dropped: its refresh token is then refused. */
const MAX_LOGINS = 200_000

export function createAgentLogins() {
  const logins = createExpiringMap<LoginUse>(MAX_LOGINS)
  return {
    get: (loginId: string): LoginUse | undefined => logins.get(loginId),
    advance: ({ id, data }: AgentEventOf<'rollcall.login.advanced.v1'>): void => {
      const { loginId, step, expires } = data
      const known = logins.get(loginId)
      // The same event was appended twice.
      if (known?.eventId === id) return
      if (known && (known.isEnded || step <= known.step)) known.isEnded = true
      else logins.set(loginId, { step, eventId: id, isEnded: false }, Date.parse(expires))
    },
    /** False if the event is not about a login that is known. */
    end: ({ data }: AgentEventOf<'rollcall.token.revoked.v1'>): boolean => {
      const known = data.kind === 'identity_assertion' ? logins.get(data.subject) : undefined
      if (known) known.isEnded = true
      return known !== undefined
    },
    prune: logins.prune,
    size: logins.size,
  }
}
