// The claim grant: an agent polls until a human has claimed it (RFC 8628, 3.5). A claim is
// redeemed once: the claim token is invalid afterwards.
import { LRUCache } from 'lru-cache'
import type { Form } from '../../infra/base/http/bodies.ts'
import type { Claim } from '../agents/agent-state.ts'
import { needParameter } from '../bodies.ts'
import { type AuthContext, computeHash, requireFresh } from '../context.ts'
import { AuthError } from '../oauth-error.ts'
import { type ClaimToken, getRegisteredAt, toMs } from '../tokens/tokens.ts'
import { accessFields, checkScope, resolveAudience } from './token-response.ts'

/** The polling interval that agents get; a second poll within it is answered with `slow_down`. */
export const POLL_SECONDS = 5
/** Timers are not exact, and requests may arrive out of order. */
const SLACK_MS = 500
const MAX_POLLERS = 50_000

const pending = (): AuthError =>
  new AuthError('authorization_pending', 'Not claimed yet. Poll again after the interval.')

export const createClaimGrant = (context: AuthContext) => {
  const { tokens, facts, clock, service, metrics } = context
  const polledMs = new LRUCache<string, number>({ max: MAX_POLLERS })

  const isTooFast = (claimToken: string): boolean => {
    const key = computeHash(claimToken)
    const nowMs = clock.now()
    const lastMs = polledMs.get(key)
    polledMs.set(key, nowMs)
    return lastMs !== undefined && nowMs - lastMs < POLL_SECONDS * 1_000 - SLACK_MS
  }

  const createStateError = (registrationId: string): AuthError => {
    const attempt = facts.state.latestAttempt(registrationId)
    if (attempt?.state === 'denied')
      return new AuthError('access_denied', 'The human denied the claim.')
    if (attempt && attempt.expiresMs <= clock.now()) {
      return new AuthError('expired_token', 'The claim attempt has expired. Start another claim.')
    }
    return pending()
  }

  /** The first redemption in the log counts, whichever instance handles the request. */
  const redeem = async ({ registrationId, attemptId }: Claim): Promise<void> => {
    const used = new AuthError('invalid_grant', 'The claim token was used. Register again.')
    if (facts.state.claimOf(registrationId)?.redeemedBy !== undefined) throw used
    const event = await facts.record({
      type: 'rollcall.claim.redeemed.v1',
      subject: `agents/${registrationId}`,
      data: { registrationId, attemptId },
    })
    if (facts.state.claimOf(registrationId)?.redeemedBy !== event.id) throw used
  }

  const openClaim = async (claimToken: string): Promise<ClaimToken> => {
    const opened = await tokens.openClaim(claimToken)
    if (!opened.ok) throw new AuthError('expired_token', 'The claim token is not valid.')
    requireFresh(context)
    const { sub } = opened.payload
    if (facts.state.isRegistrationRevoked(sub, toMs(getRegisteredAt(opened.payload)))) {
      throw new AuthError('expired_token', 'The registration was revoked. Register again.')
    }
    return opened.payload
  }

  return async (form: Form) => {
    const claimToken = needParameter(form, 'claim_token')
    checkScope(form)
    const audience = resolveAudience(form, service())
    const { sub: registrationId, registration_type: type } = await openClaim(claimToken)
    const claim = facts.state.claimOf(registrationId)
    if (!claim) {
      const state = createStateError(registrationId)
      if (state.code !== 'authorization_pending' || !isTooFast(claimToken)) throw state
      throw new AuthError('slow_down', `Polled too soon. Wait more than ${POLL_SECONDS} s.`)
    }
    await redeem(claim)
    const iat = Math.floor(clock.now() / 1_000)
    const [access, assertion] = await Promise.all([
      tokens.issueAccess({
        subject: registrationId,
        clientId: registrationId,
        audience,
        claim: claim.attemptId,
      }),
      tokens.issueAssertion({ registrationId, type, iat }, claim),
    ])
    metrics.done('token_claim')
    return {
      ...accessFields(access),
      registration_id: registrationId,
      status: 'claimed',
      identity_assertion: assertion.token,
      assertion_expires: assertion.expires,
    }
  }
}
