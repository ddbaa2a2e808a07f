// The programs that people log in: known by the document at their URL (draft-ietf-oauth-client-id-metadata-document), or by
// the statement that they registered (RFC 7591), and their redirect URIs. Neither is stored. Names are texts of strangers.
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { FetchJson } from '../issuers/issuer-keys.ts'
import { AuthError } from '../oauth-error.ts'
import type { ClientStatement, Tokens } from '../tokens/tokens.ts'

/** Ports of loopback addresses are free (RFC 8252, 7.3). Nothing but a path or a query may follow the host. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/

/** A browser does not leave them to an app. */
const FORBIDDEN_SCHEMES = [
  ...['http:', 'javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:', 'about:'],
  ...['view-source:', 'ws:', 'wss:', 'ftp:', 'mailto:', 'tel:', 'sms:', 'intent:'],
]

export const isLoopback = (uri: string): boolean => LOOPBACK.test(uri)

function isRedirect(uri: string): boolean {
  if (!/^[\x21-\x7E]+$/.test(uri) || /[#\\]/.test(uri) || !URL.canParse(uri)) return false
  const { protocol, username, password } = new URL(uri)
  // Without slashes a browser resolves it against the page.
  if (protocol === 'https:' && !/^https:\/\/[^/]/i.test(uri)) return false
  if (username !== '' || password !== '') return false
  return isLoopback(uri) || !FORBIDDEN_SCHEMES.includes(protocol)
}

const withoutPort = (uri: string): string => uri.replace(LOOPBACK, '$1')

/** Character by character, apart from the port of a loopback address. */
export function isSameRedirect(known: string, asked: string): boolean {
  return known === asked || (isRedirect(asked) && withoutPort(known) === withoutPort(asked))
}

/** The host, or the scheme of an app. */
export function nameRedirect(uri: string): string {
  const { host, protocol } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1)
}

/** The parameters are added to a query that the URI has. */
export function withParameters(
  uri: string,
  parameters: Record<string, string | undefined>,
): string {
  const given = Object.entries(parameters).filter((each): each is [string, string] => !!each[1])
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}

export type Client = {
  name: string | undefined
  redirects: readonly string[]
  /** Of its document; undefined for a client that registered itself. */
  host: string | undefined
}

/** The members that matter here; others are ignored. */
export const ClientMetadata = Type.Object({
  redirect_uris: Type.Array(Type.String({ maxLength: 512 }), { minItems: 1, maxItems: 20 }),
  client_name: Type.Optional(Type.String({ maxLength: 200 })),
})
const checkDocument = Compile(
  Type.Object({
    ...ClientMetadata.properties,
    client_id: Type.String(),
    token_endpoint_auth_method: Type.Optional(Type.String()),
  }),
)

/** A few kB, as the draft recommends. */
export const MAX_DOCUMENT_BYTES = 10 * 1024
const MAX_DOCUMENTS = 500
/** Whatever its header fields say: a client may change its redirects at any time. */
const KEEP_MS = 5 * 60_000
/** It is part of a URL, which has at most 4,096 bytes with everything else. */
const MAX_STATEMENT_LENGTH = 2_000

const refuse = (description: string): never => {
  throw new AuthError('invalid_client', description, { status: 401 })
}

const isUrl = (clientId: string): boolean => /^https?:\/\//i.test(clientId)

/** URLs are compared as texts, so that only one spelling of each is a client ID. */
const isDocumentUrl = (clientId: string): boolean => {
  if (!URL.canParse(clientId) || clientId.includes('#')) return false
  const { href, pathname, username, password } = new URL(clientId)
  return href === clientId && pathname !== '/' && username === '' && password === ''
}

const readDocument = async (clientId: string, fetchJson: FetchJson): Promise<Client> => {
  if (!isDocumentUrl(clientId)) {
    refuse('A client_id that is a URL has a path, no fragment and no user, and is normalized.')
  }
  const document = await fetchJson(clientId).catch(() =>
    refuse('The client document cannot be read: JSON at a public https URL, no redirect, 10 kB.'),
  )
  if (!checkDocument.Check(document)) return refuse('The client document has no redirect_uris.')
  if (document.client_id !== clientId) refuse('The client document is that of another client_id.')
  if (document.token_endpoint_auth_method?.startsWith('client_secret')) {
    refuse('The client document must not use a client secret.')
  }
  const redirects = document.redirect_uris.filter(isRedirect)
  return { name: document.client_name, redirects, host: new URL(clientId).host }
}

type ClientsOptions = { tokens: Tokens; clock: Clock; fetchJson: FetchJson }

export function createClients({ tokens, clock, fetchJson }: ClientsOptions) {
  const documents = new LRUCache<string, { client: Promise<Client>; untilMs: number }>({
    max: MAX_DOCUMENTS,
  })
  /** Concurrent requests share one fetch. A failure is not remembered. */
  const findDocument = (clientId: string): Promise<Client> => {
    const known = documents.get(clientId)
    if (known && known.untilMs > clock.now()) return known.client
    const client = readDocument(clientId, fetchJson)
    documents.set(clientId, { client, untilMs: clock.now() + KEEP_MS })
    client.catch(() => documents.delete(clientId))
    return client
  }
  const findRegistered = async (clientId: string): Promise<Client> => {
    const verified = await tokens.verifyClient(clientId)
    if (!verified.ok) return refuse('The client is not registered here. Register it again.')
    const { client_name: name, redirect_uris: redirects } = verified.payload
    return { name, redirects, host: undefined }
  }
  return {
    /** Throws `invalid_client` with the reason. */
    find: (clientId: string): Promise<Client> =>
      (isUrl(clientId) ? findDocument : findRegistered)(clientId),
    /** Throws `invalid_client` for a client that is not registered here any more. Does not fetch. */
    check: async (clientId: string): Promise<void> => {
      if (!isUrl(clientId)) await findRegistered(clientId)
    },
    register: async (statement: ClientStatement): Promise<string> => {
      const wrong = statement.redirect_uris.find((uri) => !isRedirect(uri))
      if (wrong !== undefined) {
        const description =
          'A redirect URI is https, http on a loopback address, or of a scheme of an app, and has no fragment.'
        throw new AuthError('invalid_redirect_uri', description)
      }
      const clientId = await tokens.issueClient(statement)
      if (clientId.length <= MAX_STATEMENT_LENGTH) return clientId
      throw new AuthError('invalid_client_metadata', 'The names and redirect URIs are too long.')
    },
  }
}

export type Clients = ReturnType<typeof createClients>
