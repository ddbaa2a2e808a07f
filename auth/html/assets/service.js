// Sends requests to the service, and says what a user can do after a failure. The token is only in request bodies.
const TIMEOUT_MS = 20_000

const NEW_ATTEMPT = 'Ask your agent to start a new claim: it gets a new link for you.'
const NOT_YOU = 'If you did not sign, have the agent revoke its identity and register again.'

/** What to do after a failure that the user cannot fix on this page. */
const AT_THE_END = {
  no_token: 'Your agent gives you a link with a secret after a #. Open the complete link.',
  invalid_claim_token: `Check that you opened the complete link, with everything after the #. ${NEW_ATTEMPT}`,
  claim_expired: `Nothing was claimed. ${NEW_ATTEMPT}`,
  claim_superseded: 'Nothing was claimed here. Open the newest link from your agent.',
  claim_completed: `You can close this page: your agent gets the result by itself. ${NOT_YOU}`,
  claimed_or_in_flight: `The first signature is the valid one. ${NOT_YOU}`,
  claim_denied: `It can no longer be completed. If you did not mean to refuse, try again. ${NEW_ATTEMPT}`,
  claim_revoked: 'After a new registration, the agent can be claimed again.',
  claim_not_enabled: 'Your agent also works without a claim.',
  foreign_origin: 'Open the link from your agent directly, not inside another page.',
}

/** What to do after other failures. */
const NEXT = {
  chain_not_allowed: 'Choose one of the chains on this page, and sign again.',
  address_mismatch: 'Select the right account in your wallet, and sign again.',
  invalid_signature:
    'Sign again. On some chains, hardware wallets cannot sign such texts: use another account there.',
  rate_limited: 'Your claim stays open until it expires.',
  unreachable: 'Check your connection, then try again, or load this page again.',
  wallet_rejected: 'Nothing was signed. To sign, try again and approve the request in the wallet.',
  wallet_failed: 'Unlock the wallet, add the chain to it, or use another account or wallet.',
}
const OTHERWISE =
  'Try again in a moment, or load this page again. If it fails again, contact the operator of the service.'

/** A failure that the user is told: what happened, what to do next, and perhaps a detail. */
export class Refusal extends Error {
  constructor(code, what, detail = '') {
    super(what)
    this.name = 'Refusal'
    this.isFinal = Object.hasOwn(AT_THE_END, code)
    this.next = AT_THE_END[code] ?? NEXT[code] ?? OTHERWISE
    this.detail = detail
  }
}

const post = async (step, body) => {
  try {
    return await fetch(`delegation/${step}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch {
    throw new Refusal('unreachable', 'The service cannot be reached.')
  }
}

export const createService = (token) => async (step, body) => {
  const response = await post(step, { claim_attempt_token: token, ...body })
  const answer = await response.json().catch(() => null)
  if (response.ok && answer) return answer
  if (typeof answer?.error === 'string') throw new Refusal(answer.error, answer.error_description)
  throw new Refusal('unexpected', 'The service failed.', `HTTP status ${response.status}.`)
}
