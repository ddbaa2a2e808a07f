// Metrics of this package: how requests ended, by endpoint and code, both from closed lists.
import type { Metrics } from '../infra/base/runtime/metrics.ts'
import type { AgentFacts } from './agents/agent-facts.ts'
import type { AuthErrorCode } from './oauth-error.ts'

type Done =
  | 'registered_anonymous'
  | 'registered_identity_assertion'
  | 'token_jwt_bearer'
  | 'token_client_credentials'
  | 'token_claim'
  | 'token_authorization_code'
  | 'token_refresh'
  | 'client_registered'
  | 'login_confirmed'
  | 'claim_started'
  | 'claim_completed'
  | 'claim_denied'
  | 'revoked'

export type AuthMetrics = {
  done(what: Done): void
  refused(code: AuthErrorCode): void
  bearer(result: 'valid' | 'invalid' | 'unavailable'): void
}

export const createAuthMetrics = (metrics: Metrics, facts: AgentFacts): AuthMetrics => {
  const done = metrics.counter({
    name: 'done_total',
    help: 'Tokens issued and facts written',
    labels: ['what'],
  })
  const refused = metrics.counter({
    name: 'refused_total',
    help: 'Refused requests by error code',
    labels: ['code'],
  })
  const bearers = metrics.counter({
    name: 'bearers_total',
    help: 'Bearer tokens in requests, by result',
    labels: ['result'],
  })
  metrics.gauge({
    name: 'facts_in_memory',
    help: 'Facts of the log in memory',
    measure: () => facts.state.size(),
  })
  metrics.gauge({
    name: 'log_fresh',
    help: '1 while the log of agents can be read',
    measure: () => (facts.isFresh() ? 1 : 0),
  })
  return {
    done: (what) => done.inc({ what }),
    refused: (code) => refused.inc({ code }),
    bearer: (result) => bearers.inc({ result }),
  }
}
