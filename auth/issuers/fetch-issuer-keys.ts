// Fetches the published keys of a trusted issuer: from the configured URL, else from the one that its metadata names,
// else from the usual one.
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TrustedIssuer } from '../config.ts'
import type { Jwks } from '../keys/jose.ts'
import { isPermanentRefusal } from './guarded-fetch.ts'

const checkKeys = Compile(
  Type.Object({
    keys: Type.Array(Type.Object({ kty: Type.String() }, { additionalProperties: true }), {
      maxItems: 100,
    }),
  }),
)
const checkMetadata = Compile(Type.Object({ issuer: Type.String(), jwks_uri: Type.String() }))

export type FetchJson = (url: string) => Promise<unknown>

/** `isPermanent`: a setting or the issuer must change before the keys can be fetched. */
export type NoKeys = { ok: false; reason: string; isPermanent: boolean }
export type FetchedKeys = { ok: true; url: string; jwks: Jwks } | NoKeys

type Metadata =
  | { kind: 'found'; url: string }
  | { kind: 'absent' }
  | { kind: 'failed'; none: NoKeys }

/** RFC 8414, section 3, and OpenID Connect Discovery 1.0, section 4. */
const createMetadataUrls = (issuer: string): string[] => {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
}

const failed = (reason: string, isPermanent: boolean): Metadata => ({
  kind: 'failed',
  none: { ok: false, reason, isPermanent },
})

/** The metadata of another issuer is refused (RFC 8414, section 3.3). */
const readMetadata = async (
  url: string,
  issuer: string,
  fetchJson: FetchJson,
): Promise<Metadata> => {
  try {
    const value = await fetchJson(url)
    if (!checkMetadata.Check(value)) return { kind: 'absent' }
    if (value.issuer !== issuer) return failed(`${url} is the metadata of another issuer`, true)
    return URL.canParse(value.jwks_uri)
      ? { kind: 'found', url: value.jwks_uri }
      : failed(`the jwks_uri in ${url} is no URL`, true)
  } catch (error) {
    return isPermanentRefusal(error)
      ? { kind: 'absent' }
      : failed(`${url}: ${(error as Error).message}`, false)
  }
}

/** A document that was found decides, then a permanent mistake, then a temporary failure. */
const findKeysUrl = async (issuer: string, fetchJson: FetchJson): Promise<Metadata> => {
  const urls = createMetadataUrls(issuer)
  const documents = await Promise.all(urls.map((url) => readMetadata(url, issuer, fetchJson)))
  const failures = documents.flatMap((each) => (each.kind === 'failed' ? [each] : []))
  return (
    documents.find(({ kind }) => kind === 'found') ??
    failures.find(({ none }) => none.isPermanent) ??
    failures[0] ?? { kind: 'absent' }
  )
}

const fetchFrom = async (
  url: string,
  fetchJson: FetchJson,
  context: string,
): Promise<FetchedKeys> => {
  const refuse = (reason: string, isPermanent: boolean): NoKeys => ({
    ok: false,
    reason: `${url}: ${reason}${context}`,
    isPermanent,
  })
  try {
    const value = await fetchJson(url)
    return checkKeys.Check(value)
      ? { ok: true, url, jwks: value as Jwks }
      : refuse('the response is not a JWK set', true)
  } catch (error) {
    return refuse((error as Error).message, isPermanentRefusal(error))
  }
}

/** Never throws. */
export const fetchIssuerKeys = async (
  { issuer, jwksUrl }: TrustedIssuer,
  fetchJson: FetchJson,
): Promise<FetchedKeys> => {
  if (jwksUrl !== undefined) return fetchFrom(jwksUrl, fetchJson, '')
  const metadata = await findKeysUrl(issuer, fetchJson)
  if (metadata.kind === 'failed') return metadata.none
  if (metadata.kind === 'found') return fetchFrom(metadata.url, fetchJson, '')
  const usual = `${issuer.replace(/\/$/, '')}/.well-known/jwks.json`
  return fetchFrom(usual, fetchJson, ', and the issuer has no metadata')
}
