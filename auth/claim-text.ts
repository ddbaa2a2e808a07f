// The text that a wallet signs to claim an agent, in the form of EIP-4361: made from what the log holds of the attempt, so that
// every instance makes the same, byte for byte. Pure.
import type { Attempt } from './agent-state.ts'
import type { ServiceDescription } from './contract/service.ts'

export type ClaimTextOptions = {
  attempt: Attempt
  service: ServiceDescription
  chainId: string
  address: string
}

export const claimText = ({ attempt, service, chainId, address }: ClaimTextOptions): string => {
  const { registrationId, userCode, nonce, attemptId, startedAt, expires } = attempt
  return [
    `${new URL(service.issuer).host} wants you to sign in with your Cosmos account:`,
    address,
    '',
    `Link agent registration ${registrationId} (code ${userCode}) to this wallet. This cannot vote or move funds.`,
    '',
    `URI: ${service.urls.delegation}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${startedAt}`,
    `Expiration Time: ${expires}`,
    `Request ID: ${attemptId}`,
    'Resources:',
    `- ${service.urls.claim}`,
  ].join('\n')
}
