// `POST /agent/identity/claim`: an agent requests a URL at which a human can claim it. Only the newest attempt counts.
import { randomBytes, randomInt } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Route } from '../../infra/base/http/routes.ts'
import { readJson } from '../bodies.ts'
import { normalAddress } from '../claims/wallet-proof.ts'
import type { WalletChain } from '../config.ts'
import {
  type AuthContext,
  computeHash,
  instant,
  newId,
  requireFresh,
  takeQuota,
} from '../context.ts'
import { PATHS } from '../contract/service.ts'
import { POLL_SECONDS } from '../grants/agents.ts'
import { AuthError } from '../oauth-error.ts'
import { getRegisteredAt, toMs } from '../tokens/tokens.ts'
import { createEndpoint } from './route.ts'

const Text = Type.String({ maxLength: 10_000 })
const ClaimRequest = Type.Object({
  claim_token: Text,
  type: Type.Optional(Text),
  login_hint: Type.Optional(Text),
  /** The name of the hint in older clients. */
  email: Type.Optional(Text),
  client_name: Type.Optional(
    Type.String({ maxLength: 80, pattern: '^[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]*$' }),
  ),
})
const check = Compile(ClaimRequest)
const EXPECTED = 'a JSON object with a claim_token; type, login_hint and client_name are optional'

/** Names in versions of auth.md for a claim that a human completes. */
const TYPES = ['wallet', 'login_hint', 'service_auth']

/** Letters that are not confused with each other, as RFC 8628, 6.1 advises. */
const CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

const newUserCode = (): string => {
  const letters = Array.from({ length: 8 }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)])
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
}

/** An address, or CAIP-10: `cosmos:{chain id}:{address}`. */
const hintedAddress = (hint: string, chains: readonly WalletChain[]): string => {
  const parts = hint.split(':')
  const [namespace, chainId, address] = parts.length === 3 ? parts : [undefined, undefined, hint]
  const found = chains
    .filter((chain) => chainId === undefined || chain.chainId === chainId)
    .map((chain) => normalAddress(address ?? '', chain))
    .find((each) => each !== undefined)
  if (found !== undefined && (namespace === undefined || namespace === 'cosmos')) return found
  const description =
    'No e-mail is sent. The login_hint must be an address of a chain whose wallets may claim.'
  throw new AuthError('invalid_login_hint', description)
}

const openRegistration = async (context: AuthContext, claimToken: string) => {
  const { tokens, facts } = context
  const opened = await tokens.openClaim(claimToken)
  if (!opened.ok) {
    throw opened.reason === 'expired'
      ? new AuthError(
          'claim_expired',
          'The time to claim this registration has passed. Register again.',
        )
      : new AuthError(
          'invalid_claim_token',
          'The claim_token is not valid. Send the one from the registration.',
        )
  }
  requireFresh(context)
  const { sub: registrationId, iat } = opened.payload
  if (facts.state.isRegistrationRevoked(registrationId, toMs(getRegisteredAt(opened.payload)))) {
    throw new AuthError('claim_revoked', 'The registration was revoked. Register again.')
  }
  if (facts.state.claimOf(registrationId)) {
    throw new AuthError('claimed_or_in_flight', 'The registration is already claimed.')
  }
  return { registrationId, registeredAt: instant(iat * 1_000) }
}

const startClaim = async (context: AuthContext, body: Static<typeof ClaimRequest>) => {
  const { config, facts, clock, service, metrics } = context
  if (body.type !== undefined && !TYPES.includes(body.type)) {
    throw new AuthError(
      'invalid_request',
      `Only a wallet can complete a claim. Use type ${TYPES[0]}.`,
    )
  }
  const { registrationId, registeredAt } = await openRegistration(context, body.claim_token)
  if (config.walletChains.length === 0) {
    const description =
      'Claims are disabled: no chain is configured. The token works without a claim.'
    throw new AuthError('claim_not_enabled', description)
  }
  const hint = body.login_hint ?? body.email
  const loginHint = hint === undefined ? null : hintedAddress(hint, config.walletChains)
  const attemptId = newId('cla_')
  const attemptToken = randomBytes(32).toString('base64url')
  const userCode = newUserCode()
  const startedMs = clock.now()
  const expires = instant(startedMs + config.claimAttemptSeconds * 1_000)
  await facts.record({
    type: 'rollcall.claim.started.v1',
    subject: `agents/${registrationId}`,
    data: {
      registrationId,
      attemptId,
      registeredAt,
      userCode,
      loginHint,
      expires,
      startedAt: instant(startedMs),
      attemptTokenHash: computeHash(attemptToken),
      nonce: randomBytes(12).toString('hex'),
      clientName: body.client_name ?? null,
    },
  })
  metrics.done('claim_started')
  // In the fragment, which browsers never send.
  const verificationUri = `${service().urls.delegation}#claim_attempt_token=${attemptToken}`
  return {
    registration_id: registrationId,
    claim_attempt_id: attemptId,
    status: 'initiated',
    expires_at: expires,
    claim_attempt: {
      user_code: userCode,
      expires_in: config.claimAttemptSeconds,
      verification_uri: verificationUri,
      verification_uri_complete: verificationUri,
      interval: POLL_SECONDS,
    },
  }
}

export const createClaimRoute = (context: AuthContext): Route =>
  createEndpoint(PATHS.claim, async (request) => {
    takeQuota(context.limits.claim, request)
    return startClaim(context, readJson(request, check, EXPECTED))
  })
