// The published keys of trusted issuers: from the configured URL, else from the one that the metadata of the issuer names, else
// from the usual one.
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { TrustedIssuer } from '../config.ts'
import { createKeySet } from '../keys/jose.ts'
import {
  createKeySetCache,
  type FetchedKeys,
  type KeySetCache,
  type NoKeys,
} from '../keys/key-sets.ts'
import { isPermanentRefusal } from './guarded-fetch.ts'

const checkMetadata = Compile(Type.Object({ issuer: Type.String(), jwks_uri: Type.String() }))

export type FetchJson = (url: string) => Promise<unknown>

const refuse = (reason: string, isPermanent = true): NoKeys => ({ ok: false, reason, isPermanent })

/** RFC 8414, section 3, and OpenID Connect Discovery 1.0, section 4. */
const createMetadataUrls = (issuer: string): string[] => {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
}

/** The URL of the keys; undefined without metadata. That of another issuer is refused (RFC 8414, section 3.3). */
const readMetadata = async (
  url: string,
  issuer: string,
  fetchJson: FetchJson,
): Promise<string | NoKeys | undefined> => {
  try {
    const value = await fetchJson(url)
    if (!checkMetadata.Check(value)) return undefined
    if (value.issuer !== issuer) return refuse(`${url} is the metadata of another issuer`)
    if (URL.canParse(value.jwks_uri)) return value.jwks_uri
    return refuse(`the jwks_uri in ${url} is no URL`)
  } catch (error) {
    if (isPermanentRefusal(error)) return undefined
    return refuse(`${url}: ${(error as Error).message}`, false)
  }
}

/** `context` follows the reason. Never throws. */
export async function fetchKeySet(
  url: string,
  fetchJson: FetchJson,
  context = '',
): Promise<FetchedKeys> {
  let value: unknown
  try {
    value = await fetchJson(url)
  } catch (error) {
    return refuse(`${url}: ${(error as Error).message}${context}`, isPermanentRefusal(error))
  }
  try {
    return { ok: true, url, keys: createKeySet(value) }
  } catch {
    return refuse(`${url}: the response is not a JWK set${context}`)
  }
}

/** Never throws. Metadata that was found decides, then a permanent mistake, then a temporary failure. */
export async function fetchIssuerKeys(
  { issuer, jwksUrl }: TrustedIssuer,
  fetchJson: FetchJson,
): Promise<FetchedKeys> {
  if (jwksUrl !== undefined) return fetchKeySet(jwksUrl, fetchJson)
  const urls = createMetadataUrls(issuer)
  const found = await Promise.all(urls.map((url) => readMetadata(url, issuer, fetchJson)))
  const named = found.find((each) => typeof each === 'string')
  if (named !== undefined) return fetchKeySet(named, fetchJson)
  const failures = found.filter((each) => typeof each === 'object')
  const failure = failures.find(({ isPermanent }) => isPermanent) ?? failures[0]
  if (failure) return failure
  const usual = `${issuer.replace(/\/$/, '')}/.well-known/jwks.json`
  return fetchKeySet(usual, fetchJson, ', and the issuer has no metadata')
}

type IssuerKeysOptions = {
  issuers: readonly TrustedIssuer[]
  fetchJson: FetchJson
  clock: Clock
  logger: Logger
}

/** By issuer. */
export type IssuerKeys = ReadonlyMap<string, KeySetCache>

export function createIssuerKeys(options: IssuerKeysOptions): IssuerKeys {
  const { issuers, fetchJson, clock, logger } = options
  const createCache = (trusted: TrustedIssuer): KeySetCache => {
    const { issuer } = trusted
    return createKeySetCache({
      fetchKeys: () => fetchIssuerKeys(trusted, fetchJson),
      clock,
      onFailure: ({ reason, isPermanent }) => {
        const remedy = isPermanent ? `set TRUSTED_ISSUERS=${issuer}|<URL of its keys>` : undefined
        logger.warn({ issuer, reason, remedy }, 'failed to fetch the keys of a trusted issuer')
      },
    })
  }
  return new Map(issuers.map((trusted) => [trusted.issuer, createCache(trusted)]))
}
