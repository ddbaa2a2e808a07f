// Checks that the keys of each trusted identity provider can be fetched, as auth fetches them.
import { readAuthConfig } from '../../../auth/config.ts'
import { fetchIssuerKeys } from '../../../auth/issuers/fetch-issuer-keys.ts'
import { guardedFetch } from '../../../auth/issuers/guarded-fetch.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { createAreaFindings, type Finding } from './finding.ts'

const { ok, warning, problem } = createAreaFindings('issuers')

/** No findings without identity providers. */
export const checkIssuers = async (env: Environment): Promise<Finding[]> => {
  const { trustedIssuers, allowLoopbackIssuers: allowLoopback } = readAuthConfig(env)
  const fetchJson = (url: string) => guardedFetch(url, { allowLoopback })
  return await Promise.all(
    trustedIssuers.map(async (trusted) => {
      const { issuer } = trusted
      const fetched = await fetchIssuerKeys(trusted, fetchJson)
      if (fetched.ok) {
        const count = fetched.jwks.keys.length
        return ok(`${issuer}: ${count} ${count === 1 ? 'key' : 'keys'} at ${fetched.url}`)
      }
      return fetched.isPermanent
        ? problem(
            `${issuer}: its ID-JAGs are refused: ${fetched.reason}`,
            `set TRUSTED_ISSUERS=${issuer}|<URL of its keys>`,
          )
        : warning(`${issuer}: ${fetched.reason}`, 'try again; check the network and the issuer')
    }),
  )
}
