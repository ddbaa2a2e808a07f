// The programs that people log in: known by the document at their URL (draft-ietf-oauth-client-id-metadata-document), or by
// the statement that they registered (RFC 7591). Neither is stored. Names are texts of strangers.
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { FetchJson } from '../issuers/issuer-keys.ts'
import { AuthError } from '../oauth-error.ts'
import type { ClientStatement, Tokens } from '../tokens/tokens.ts'
import { isRedirect } from './redirects.ts'

export type Client = {
  name: string | undefined
  redirects: readonly string[]
  /** Of its document; undefined for a client that registered itself. */
  host: string | undefined
}

export type Clients = {
  /** Throws `invalid_client` with the reason. */
  find(clientId: string): Promise<Client>
  /** Throws `invalid_client` for a client that is not registered here any more. Does not fetch. */
  check(clientId: string): Promise<void>
  register(statement: ClientStatement): Promise<string>
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

export function createClients({ tokens, clock, fetchJson }: ClientsOptions): Clients {
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
    find: async (clientId) => (isUrl(clientId) ? findDocument : findRegistered)(clientId),
    check: async (clientId) => {
      if (!isUrl(clientId)) await findRegistered(clientId)
    },
    register: async (statement) => {
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
