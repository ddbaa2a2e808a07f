// Ends the access of a claimed agent: the same wallet signs again, which revokes the registration with all its tokens.
import type { Attempt, Claim } from '../agents/agent-claims.ts'
import { revokeRegistration } from '../agents/revocation.ts'
import type { WalletChain } from '../config.ts'
import { type AuthContext, computeHash, requireFresh } from '../context.ts'
import { AuthError } from '../oauth-error.ts'
import type { Signed } from './claim-attempt.ts'
import { endText } from './claim-text.ts'
import { checkWalletProof } from './wallet-proof.ts'

export type Claimed = { attempt: Attempt; claim: Claim }

/** Finds the claim by the token of its attempt. Throws if this attempt has no valid claim. */
export const findClaimed = async (context: AuthContext, attemptToken: string): Promise<Claimed> => {
  const { facts } = context
  requireFresh(context)
  const tokenHash = computeHash(attemptToken)
  const find = () => {
    const attempt = facts.state.attemptOf(tokenHash)?.attempt
    return { attempt, claim: attempt && facts.state.claimOf(attempt.registrationId) }
  }
  // Another instance may have completed it just before.
  if (!find().claim) await facts.catchUp()
  const { attempt, claim } = find()
  if (!attempt) throw new AuthError('invalid_claim_token', 'The claim does not exist.')
  if (claim?.attemptId !== attempt.attemptId) {
    throw new AuthError(
      'invalid_request',
      'This claim was not completed, so there is no access to end.',
    )
  }
  if (facts.written.isRegistrationRevoked(attempt.registrationId, undefined)) {
    throw new AuthError('claim_revoked', 'The registration was already revoked.')
  }
  return { attempt, claim }
}

/** By the claim itself: a chain may have been removed from the settings, and its wallets can still end their claims. */
const toWalletChain = ({ chainId, address, algorithm }: Claim): WalletChain => ({
  chainId,
  algorithm,
  prefix: address.slice(0, address.lastIndexOf('1')),
})

/** The text that the wallet signs to end the access of the agent. */
export const endTextFor = ({ service }: AuthContext, { attempt, claim }: Claimed): string =>
  endText({ attempt, service: service(), chainId: claim.chainId, address: claim.address })

export const endClaim = async (
  context: AuthContext,
  claimed: Claimed,
  signed: Signed,
): Promise<void> => {
  const { attempt, claim } = claimed
  const { address } = claim
  const text = endTextFor(context, claimed)
  const proof = checkWalletProof({ chain: toWalletChain(claim), address, text, ...signed })
  if (!proof.ok) throw new AuthError(proof.code, proof.reason)
  const { registrationId } = attempt
  await revokeRegistration(context, {
    registration: { id: registrationId, registeredMs: undefined },
    tokenId: registrationId,
    expiresMs: attempt.expiresMs,
    by: 'wallet',
  })
  context.metrics.done('revoked')
}
