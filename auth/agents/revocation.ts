// Revokes one access token, or a registration with all its tokens. Resolves once the log has it.
import { type AuthContext, instant } from '../context.ts'

type TokenEnd = { tokenId: string; subject: string; expiresMs: number }

export const revokeToken = async (
  { facts }: AuthContext,
  { tokenId, subject, expiresMs }: TokenEnd,
): Promise<void> => {
  await facts.record({
    type: 'rollcall.token.revoked.v1',
    subject: `tokens/${tokenId}`,
    data: { kind: 'access_token', tokenId, subject, expires: instant(expiresMs) },
  })
}

type RegistrationEnd = {
  /** `registeredMs` of an unclaimed anonymous registration, else undefined. */
  registration: { id: string; registeredMs: number | undefined }
  /** The registration id if no assertion ends it. */
  tokenId: string
  expiresMs: number
  by: 'identity_assertion' | 'claim_token' | 'refresh_token'
}

export const revokeRegistration = async (
  { facts }: AuthContext,
  { registration: { id, registeredMs }, tokenId, expiresMs, by }: RegistrationEnd,
): Promise<void> => {
  await facts.record({
    type: 'rollcall.token.revoked.v1',
    subject: by === 'identity_assertion' ? `tokens/${tokenId}` : `agents/${id}`,
    data: {
      kind: 'identity_assertion',
      tokenId,
      subject: id,
      expires: instant(expiresMs),
      by,
      ...(registeredMs === undefined ? {} : { registeredAt: instant(registeredMs) }),
    },
  })
}
