// Sends requests to the service. The token is only in request bodies.
const TIMEOUT_MS = 20_000

/** A failure with an entry in `words.js`. */
export class Refusal extends Error {
  constructor(code, detail = '') {
    super(detail || code)
    this.name = 'Refusal'
    this.code = code
    this.detail = detail
  }
}

const codeOfStatus = (status) => {
  if (status === 429) return 'rate_limited'
  return [502, 503, 504].includes(status) ? 'temporarily_unavailable' : 'unexpected'
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
    throw new Refusal('unreachable')
  }
}

export const createService = (token) => async (step, body) => {
  const response = await post(step, { claim_attempt_token: token, ...body })
  const answer = await response.json().catch(() => null)
  if (response.ok && answer) return answer
  if (typeof answer?.error === 'string') {
    throw new Refusal(answer.error, `Message of the service: ${answer.error_description}`)
  }
  throw new Refusal(codeOfStatus(response.status), `HTTP status ${response.status}.`)
}
