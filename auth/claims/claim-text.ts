// The text that a wallet signs to claim an agent, in the format of EIP-4361. Pure.
// It is built from the attempt in the log, so every instance builds the same bytes.
import type { Attempt } from '../agents/agent-claims.ts'
import type { ServiceDescription } from '../contract/service.ts'

export type ClaimTextOptions = {
  attempt: Attempt
  service: ServiceDescription
  chainId: string
  address: string
}

type Wording = {
  /** The statement that the wallet signs. */
  statement: string
  /** Null if the text does not expire. */
  expires: string | null
  /** The service that accepts the signature. */
  resource: string
}

const signInText = (
  options: ClaimTextOptions,
  { statement, expires, resource }: Wording,
): string => {
  const { attempt, service, chainId, address } = options
  return [
    `${new URL(service.issuer).host} wants you to sign in with your Cosmos account:`,
    address,
    '',
    `${statement} This cannot vote or move funds.`,
    '',
    `URI: ${service.urls.delegation}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${attempt.nonce}`,
    `Issued At: ${attempt.startedAt}`,
    ...(expires === null ? [] : [`Expiration Time: ${expires}`]),
    `Request ID: ${attempt.attemptId}`,
    'Resources:',
    `- ${resource}`,
  ].join('\n')
}

const registrationText = ({ attempt }: ClaimTextOptions): string =>
  `${attempt.registrationId} (code ${attempt.userCode})`

export const claimText = (options: ClaimTextOptions): string =>
  signInText(options, {
    statement: `Link agent registration ${registrationText(options)} to this wallet.`,
    expires: options.attempt.expires,
    resource: options.service.urls.claim,
  })

/** Signed by the wallet that claimed, to end the link. It does not expire: access ends once. */
export const endText = (options: ClaimTextOptions): string =>
  signInText(options, {
    statement: `End all access of agent registration ${registrationText(options)}.`,
    expires: null,
    resource: options.service.urls.revoke,
  })
