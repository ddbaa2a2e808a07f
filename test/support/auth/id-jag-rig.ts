// The auth service with an identity provider that it trusts, and the two uses of an ID-JAG.
import { onTestFinished } from 'vitest'
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import {
  type AuthAnswer,
  type AuthBackend,
  type AuthRig,
  createAuthBackend,
  createAuthRig,
} from './auth-rig.ts'
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts'

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag'
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

type Setup = {
  backend: AuthBackend
  idp: IdentityProvider
  rig: AuthRig
  another(log?: EventLog): Promise<AuthRig>
}

/** Ends with the test. */
export const setupIdJag = async (env: Record<string, string> = {}): Promise<Setup> => {
  const backend = await createAuthBackend()
  onTestFinished(backend.remove)
  const idp = await startIdentityProvider(() => backend.clock.now())
  onTestFinished(idp.close)
  const another = async (log?: EventLog) => {
    const trust = { TRUSTED_ISSUERS: idp.issuer, ALLOW_LOOPBACK_ISSUERS: 'true' }
    const rig = await createAuthRig({ backend, env: { ...trust, ...env }, ...(log ? { log } : {}) })
    onTestFinished(rig.close)
    return rig
  }
  return { backend, idp, rig: await another(), another }
}

export const register = (rig: AuthRig, assertion: string): Promise<AuthAnswer> =>
  rig.postJson('/agent/identity', {
    type: 'identity_assertion',
    assertion_type: ID_JAG,
    assertion,
  })
export const exchange = (rig: AuthRig, assertion: string, more: object = {}): Promise<AuthAnswer> =>
  rig.postForm('/oauth2/token', { grant_type: JWT_BEARER, assertion, ...more })
