// The claim page side of a claim: finds an attempt, builds the text that a wallet signs, and completes the claim. The first event
// in the log counts.
import type { Attempt } from '../agents/agent-state.ts'
import type { WalletChain } from '../config.ts'
import { type AuthContext, computeHash, requireFresh } from '../context.ts'
import type { ServiceDescription } from '../contract/service.ts'
import { AuthError } from '../oauth-error.ts'
import { checkWalletProof, normalAddress } from './wallet-proof.ts'

/** Throws unless the attempt can still be completed. */
const requireLive = (context: AuthContext, tokenHash: string): Attempt => {
  const { facts, clock } = context
  const found = facts.state.attemptOf(tokenHash)
  if (!found) throw new AuthError('invalid_claim_token', 'The claim does not exist.')
  const { attempt, isSuperseded } = found
  const claim = facts.state.claimOf(attempt.registrationId)
  if (claim?.attemptId === attempt.attemptId) {
    throw new AuthError('claim_completed', 'This claim is already completed.')
  }
  if (claim) throw new AuthError('claimed_or_in_flight', 'The agent is already claimed.')
  if (isSuperseded) throw new AuthError('claim_superseded', 'The agent has started another claim.')
  if (attempt.state === 'denied') throw new AuthError('claim_denied', 'This claim was denied.')
  if (attempt.expiresMs <= clock.now())
    throw new AuthError('claim_expired', 'The claim has expired.')
  if (attempt.isRevoked || facts.state.isRegistrationRevoked(attempt.registrationId, undefined)) {
    throw new AuthError('claim_revoked', 'The registration was revoked.')
  }
  return attempt
}

/** Another instance may have started it just before. */
export const findAttempt = async (context: AuthContext, attemptToken: string): Promise<Attempt> => {
  requireFresh(context)
  const tokenHash = computeHash(attemptToken)
  if (!context.facts.state.attemptOf(tokenHash)) await context.facts.catchUp()
  return requireLive(context, tokenHash)
}

type ClaimTextOptions = {
  attempt: Attempt
  service: ServiceDescription
  chainId: string
  address: string
}

/** In the format of EIP-4361. It is built from the attempt in the log, so every instance builds the same bytes. */
function claimText({ attempt, service, chainId, address }: ClaimTextOptions): string {
  const registration = `${attempt.registrationId} (code ${attempt.userCode})`
  return [
    `${new URL(service.issuer).host} wants you to sign in with your Cosmos account:`,
    address,
    '',
    `Link agent registration ${registration} to this wallet. This cannot vote or move funds.`,
    '',
    `URI: ${service.urls.delegation}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${attempt.nonce}`,
    `Issued At: ${attempt.startedAt}`,
    `Expiration Time: ${attempt.expires}`,
    `Request ID: ${attempt.attemptId}`,
    'Resources:',
    `- ${service.urls.claim}`,
  ].join('\n')
}

export type Signer = { chainId: string; address: string }

export type SignRequest = { chain: WalletChain; address: string; text: string }

/** The chain, the canonical address, and the text; each must be allowed to claim. */
export const signRequestFor = (
  { config, service }: AuthContext,
  attempt: Attempt,
  signer: Signer,
): SignRequest => {
  const chain = config.walletChains.find(({ chainId }) => chainId === signer.chainId)
  if (!chain) throw new AuthError('chain_not_allowed', 'Wallets of this chain cannot claim.')
  const address = normalAddress(signer.address, chain)
  if (address === undefined) {
    const description = `Expected an address of ${chain.chainId}, which begins with ${chain.prefix}1.`
    throw new AuthError('address_mismatch', description)
  }
  if (attempt.loginHint !== null && attempt.loginHint !== address) {
    throw new AuthError('address_mismatch', 'This claim is for another wallet.')
  }
  const { chainId } = chain
  return { chain, address, text: claimText({ attempt, service: service(), chainId, address }) }
}

export type Signed = { publicKey: string; signature: string }

export const completeClaim = async (
  context: AuthContext,
  attempt: Attempt,
  { signer, signed }: { signer: Signer; signed: Signed },
) => {
  const { facts, metrics } = context
  const { registrationId, attemptId, attemptTokenHash } = attempt
  const { chain, address, text } = signRequestFor(context, attempt, signer)
  const proof = checkWalletProof({ chain, address, text, ...signed })
  if (!proof.ok) throw new AuthError(proof.code, proof.reason)
  const event = await facts.record({
    type: 'rollcall.claim.completed.v1',
    subject: `agents/${registrationId}`,
    data: {
      registrationId,
      attemptId,
      address,
      chainId: chain.chainId,
      publicKey: signed.publicKey,
      algorithm: chain.algorithm,
    },
  })
  if (facts.state.claimOf(registrationId)?.eventId !== event.id) {
    requireLive(context, attemptTokenHash)
    throw new AuthError('claimed_or_in_flight', 'The agent is already claimed.')
  }
  metrics.done('claim_completed')
  return { registrationId, chainId: chain.chainId, address }
}

export const denyClaim = async (context: AuthContext, attempt: Attempt): Promise<void> => {
  const { registrationId, attemptId, attemptTokenHash } = attempt
  const { facts, metrics } = context
  await facts.record({
    type: 'rollcall.claim.denied.v1',
    subject: `agents/${registrationId}`,
    data: { registrationId, attemptId },
  })
  const ended = facts.state.attemptOf(attemptTokenHash)
  // A completion came first in the log, or another attempt.
  if (ended?.attempt.state !== 'denied') requireLive(context, attemptTokenHash)
  metrics.done('claim_denied')
}
