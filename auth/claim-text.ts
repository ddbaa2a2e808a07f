// The text that a wallet signs to claim an agent, in the form of EIP-4361: made from what the log holds of the attempt, so that
// every instance makes the same, byte for byte. Pure.
import type { Attempt } from './agent-claims.ts'
import type { ServiceDescription } from './contract/service.ts'

export type ClaimTextOptions = {
  attempt: Attempt
  service: ServiceDescription
  chainId: string
  address: string
}

const header = (service: ServiceDescription, address: string): string[] => [
  `${new URL(service.issuer).host} wants you to sign in with your Cosmos account:`,
  address,
  '',
]

export const claimText = ({ attempt, service, chainId, address }: ClaimTextOptions): string => {
  const { registrationId, userCode, nonce, attemptId, startedAt, expires } = attempt
  return [
    ...header(service, address),
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

/** Signed by the wallet that claimed, to end what it linked. It does not expire: access ends once. */
export const endText = ({ attempt, service, chainId, address }: ClaimTextOptions): string => {
  const { registrationId, userCode, nonce, attemptId, startedAt } = attempt
  return [
    ...header(service, address),
    `End all access of agent registration ${registrationId} (code ${userCode}). This cannot vote or move funds.`,
    '',
    `URI: ${service.urls.delegation}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${startedAt}`,
    `Request ID: ${attemptId}`,
    'Resources:',
    `- ${service.urls.revoke}`,
  ].join('\n')
}
