// The texts of the claim page for each failure: what happened, and what to do next.
import type { AuthErrorCode } from '../oauth-error.ts'

export type Words = {
  /** What happened. */
  what: string
  /** What the user can do now. */
  next: string
  /** The user cannot fix it on this page. */
  isFinal?: true
}

const NEW_ATTEMPT = 'Ask your agent to start a new claim: it gets a new link for you.'

/** Error codes of the service. */
const OF_SERVICE = {
  invalid_claim_token: {
    what: 'This link does not belong to a claim.',
    next: `Check that you opened the complete link, with everything after the #. ${NEW_ATTEMPT}`,
    isFinal: true,
  },
  claim_expired: {
    what: 'This claim has expired.',
    next: `Nothing was claimed. ${NEW_ATTEMPT}`,
    isFinal: true,
  },
  claim_superseded: {
    what: 'Your agent has started a newer claim, which replaces this one.',
    next: 'Nothing was claimed here. Open the newest link from your agent.',
    isFinal: true,
  },
  claim_completed: {
    what: 'This claim is already completed.',
    next:
      'You can close this page: your agent gets the result by itself. ' +
      'If you did not sign, have the agent revoke its identity and register again.',
    isFinal: true,
  },
  claimed_or_in_flight: {
    what: 'The agent is already claimed, by another attempt or another wallet.',
    next:
      'The first signature is the valid one. ' +
      'If it was not yours, have the agent revoke its identity and register again.',
    isFinal: true,
  },
  claim_denied: {
    what: 'This claim was refused.',
    next: `It can no longer be completed. If you did not mean to refuse, try again. ${NEW_ATTEMPT}`,
    isFinal: true,
  },
  claim_revoked: {
    what: 'The agent has revoked its registration.',
    next: 'It can no longer be claimed. After a new registration, the agent can be claimed again.',
    isFinal: true,
  },
  claim_not_enabled: {
    what: 'Claims are not enabled on this service.',
    next: 'Your agent also works without a claim. The operator of the service decides which chains are allowed.',
    isFinal: true,
  },
  chain_not_allowed: {
    what: 'Wallets of this chain are not allowed here.',
    next: 'Choose one of the chains on this page, and sign again.',
  },
  address_mismatch: {
    what: 'The address does not match the chain, the wallet that your agent named, or the signing key.',
    next: 'Select the right account in your wallet, or correct the address, and sign again.',
  },
  invalid_signature: {
    what: 'The signature could not be verified.',
    next:
      'Sign the unchanged text again, with the key of this address. ' +
      'On some chains, hardware wallets cannot sign such texts: use another account there.',
  },
  rate_limited: {
    what: 'Too many requests from your network.',
    next: 'Wait a minute, then try again. Your claim stays open until it expires.',
  },
  temporarily_unavailable: {
    what: 'The service is temporarily unavailable.',
    next: 'Nothing was lost. Wait a few seconds, then try again.',
  },
  server_error: {
    what: 'The service failed.',
    next: 'Try again in a moment. If it fails again, contact the operator of the service.',
  },
  invalid_request: {
    what: 'The request of this page was not valid.',
    next: 'Check the text that you pasted. If you pasted nothing, open the link from your agent again.',
  },
  foreign_origin: {
    what: 'The request did not come from the claim page of this service.',
    next:
      'Open the link from your agent directly: ' +
      'not inside another page, and not under another host name.',
    isFinal: true,
  },
  method_not_allowed: {
    what: 'Software between you and the service changed the request.',
    next: 'Try another network, or a browser without extensions that change requests.',
  },
} as const satisfies Partial<Record<AuthErrorCode, Words>>

/** Failures of wallets, and failures that the page detects. */
const OF_PAGE = {
  no_token: {
    what: 'This link has no claim.',
    next: 'Your agent gives you a link with a secret after a #. Open the complete link.',
    isFinal: true,
  },
  wallet_rejected: {
    what: 'The request was refused in the wallet, or the wallet window was closed.',
    next: 'Nothing was signed. To sign, try again and approve the request in the wallet.',
  },
  wallet_locked: {
    what: 'The wallet is locked.',
    next: 'Unlock the wallet extension in the browser, then try again.',
  },
  wallet_unknown_chain: {
    what: 'The wallet does not have this chain.',
    next:
      'Add or enable the chain in the wallet. ' +
      'Or choose another chain or wallet here, or sign without a wallet below.',
  },
  wallet_wrong_prefix: {
    what: 'The wallet returned an address of another chain.',
    next: 'Select an account of the chosen chain in the wallet, or use another wallet.',
  },
  wallet_wrong_account: {
    what: 'The account selected in the wallet is not the one that your agent requested.',
    next: 'Switch to the requested account in your wallet. The page then continues by itself.',
  },
  wallet_gone: {
    what: 'The wallet no longer responds.',
    next: 'Enable the wallet extension, load this page again, and connect the wallet again.',
  },
  wallet_failed: {
    what: 'The wallet could not complete the request.',
    next: 'Try again, or use another account or wallet. Some hardware wallets cannot sign texts.',
  },
  answer_unreadable: {
    what: 'The pasted text is not the output of a signing tool.',
    next: 'Paste the complete JSON, with pub_key.value and signature.',
  },
  unreachable: {
    what: 'The service cannot be reached.',
    next: 'Check your connection, then try again. Your claim stays open until it expires.',
  },
  unexpected: {
    what: 'An unexpected error occurred.',
    next: 'Try again in a moment. If it fails again, contact the operator of the service.',
  },
} as const satisfies Record<string, Words>

export const CLAIM_WORDS: Readonly<Record<string, Words>> = { ...OF_SERVICE, ...OF_PAGE }

/** The texts as a JavaScript module for the page. */
export const claimWordsModule = (): string =>
  `// The text of each failure.\nexport const WORDS = ${JSON.stringify(CLAIM_WORDS)}\n`
