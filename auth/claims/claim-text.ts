// The text that a wallet signs to claim an agent, in the format of EIP-4361. Pure.
// It is built from the attempt in the log, so every instance builds the same bytes.
import type { Attempt } from '../agents/agent-state.ts'
import type { ServiceDescription } from '../contract/service.ts'

export type ClaimTextOptions = {
  attempt: Attempt
  service: ServiceDescription
  chainId: string
  address: string
}

export function claimText({ attempt, service, chainId, address }: ClaimTextOptions): string {
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
