// Every way a claim can fail: what happened, and what to do next. One table for the page and for its tests.
import type { AuthErrorCode } from '../oauth-error.ts'

export type Words = {
  /** What happened. */
  what: string
  /** What the human can do now. */
  next: string
  /** The user cannot fix it on this page. */
  isFinal?: true
}

const NEW_ATTEMPT = 'Ask your agent to begin again: it gets a new address for you to open.'

/** What the service answers. */
const OF_SERVICE = {
  invalid_claim_token: {
    what: 'This address does not belong to a claim.',
    next: `Check that you opened the whole address, with everything after the #. ${NEW_ATTEMPT}`,
    isFinal: true,
  },
  claim_expired: {
    what: 'The time to claim is over.',
    next: `Nothing was claimed. ${NEW_ATTEMPT}`,
    isFinal: true,
  },
  claim_superseded: {
    what: 'Your agent has begun a newer claim, which takes the place of this one.',
    next: 'Nothing was claimed here. Open the newest address that your agent gave you.',
    isFinal: true,
  },
  claim_completed: {
    what: 'This claim is completed already.',
    next:
      'Nothing is left to do: your agent notices by itself. ' +
      'If it was not you who signed, have the agent revoke its identity and register again.',
    isFinal: true,
  },
  claimed_or_in_flight: {
    what: 'The agent is claimed already, by another attempt or another wallet.',
    next:
      'The first signature counts and stays. ' +
      'If it was not yours, have the agent revoke its identity and register again.',
    isFinal: true,
  },
  claim_denied: {
    what: 'This claim was refused.',
    next: `It can no longer be completed. If that was a mistake: ${NEW_ATTEMPT}`,
    isFinal: true,
  },
  claim_revoked: {
    what: 'The agent has revoked its registration.',
    next: 'There is nothing left to claim. An agent that registers again can be claimed again.',
    isFinal: true,
  },
  claim_not_enabled: {
    what: 'This service is not set up for wallets.',
    next: 'Your agent can work without a claim. The operator of the service decides which chains may claim.',
    isFinal: true,
  },
  chain_not_allowed: {
    what: 'Wallets of this chain may not claim here.',
    next: 'Choose one of the chains that the page offers, and sign again.',
  },
  address_mismatch: {
    what: 'The address does not fit: to the chain, to the wallet that your agent named, or to the key that signed.',
    next: 'Choose the right account in your wallet, or correct the address, and sign again.',
  },
  invalid_signature: {
    what: 'The signature could not be verified.',
    next:
      'Sign the text again exactly as it stands, with the key of this very address. ' +
      'Hardware wallets cannot sign such texts on every chain: use another account then.',
  },
  rate_limited: {
    what: 'Too many requests came from your network within a minute.',
    next: 'Wait a minute, then do the same again. Your claim stays open until its time is over.',
  },
  temporarily_unavailable: {
    what: 'The service cannot do this just now.',
    next: 'Nothing was lost. Wait a few seconds, then do the same again.',
  },
  server_error: {
    what: 'The service failed to answer.',
    next: 'Do the same again in a moment. If it keeps failing, contact the operator of the service.',
  },
  invalid_request: {
    what: 'The service could not read what this page sent.',
    next: 'Check what was pasted. If nothing was, load the page again from the address that your agent gave you.',
  },
  foreign_origin: {
    what: 'The service takes answers from its own page alone, and took this for another.',
    next:
      'Open the address that your agent gave you directly: ' +
      'not inside another page, and not under another name of the host.',
    isFinal: true,
  },
  method_not_allowed: {
    what: 'Something between you and the service changed the request.',
    next: 'Try another network, or a browser without extensions that change requests.',
  },
} as const satisfies Partial<Record<AuthErrorCode, Words>>

/** Failures of wallets, and those that the page detects itself. */
const OF_PAGE = {
  no_token: {
    what: 'There is no claim at this address.',
    next: 'Your agent gives you an address with a secret behind a #. Open that one, whole.',
    isFinal: true,
  },
  wallet_rejected: {
    what: 'The request was refused in the wallet, or its window was closed.',
    next: 'Nothing was signed. If you meant to sign, do the same again and approve it in the wallet.',
  },
  wallet_locked: {
    what: 'The wallet is locked.',
    next: 'Unlock it with its own button in the browser, then do the same again.',
  },
  wallet_unknown_chain: {
    what: 'The wallet does not know this chain.',
    next:
      'Add the chain in the wallet or switch it on there, ' +
      'choose another chain or wallet here, or sign without a wallet below.',
  },
  wallet_wrong_prefix: {
    what: 'The wallet gave an address of another chain.',
    next: 'Choose the account of the chain that is chosen here, or another wallet.',
  },
  wallet_wrong_account: {
    what: 'Your agent requested another wallet than the account that is selected now.',
    next: 'Switch to the account named above in your wallet: the page starts over by itself.',
  },
  wallet_gone: {
    what: 'The wallet does not answer any more.',
    next: 'Switch its extension on, load this page again, and choose the wallet again.',
  },
  wallet_failed: {
    what: 'The wallet could not complete the request.',
    next: 'Try again, or another account or wallet. Some accounts, on hardware above all, cannot sign texts.',
  },
  answer_unreadable: {
    what: 'What was pasted is not the answer of a signing tool.',
    next: 'Paste all of it: JSON with pub_key.value and signature, from the first brace to the last.',
  },
  unreachable: {
    what: 'The service cannot be reached.',
    next: 'Check your connection, then do the same again. Your claim stays open until its time is over.',
  },
  unexpected: {
    what: 'Something answered that this page does not understand.',
    next: 'Do the same again in a moment. If it keeps failing, contact the operator of the service.',
  },
} as const satisfies Record<string, Words>

export const CLAIM_WORDS: Readonly<Record<string, Words>> = { ...OF_SERVICE, ...OF_PAGE }

/** The same as a module of the page. */
export const claimWordsModule = (): string =>
  `// What each failure is called and what to do then.\nexport const WORDS = ${JSON.stringify(CLAIM_WORDS)}\n`
