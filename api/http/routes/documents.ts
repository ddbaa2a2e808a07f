// Serves the documents of `discovery/`. Each is rendered once and then sent from memory, and again when the chain is known.
import { API_PATHS, describeService } from '../../../auth/contract/service.ts'
import { prefersOther } from '../../../infra/base/http/negotiate.ts'
import type { Handler, Route } from '../../../infra/base/http/routes.ts'
import { rememberResponse, sendResponse } from '../../../infra/base/http/send.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { About, Document } from '../../discovery/about.ts'
import { aiCatalog, ardCatalog } from '../../discovery/ai-catalog.ts'
import { apiCatalog } from '../../discovery/api-catalog.ts'
import { authMd } from '../../discovery/auth-md.ts'
import { respellExamples } from '../../discovery/example-addresses.ts'
import { llms } from '../../discovery/llms.ts'
import { openApi } from '../../discovery/openapi/document.ts'
import { referencePage } from '../../discovery/reference/page.tsx'
import { robots } from '../../discovery/robots.ts'
import { knownServerCard, serverCard, serverJson } from '../../discovery/server-card.ts'
import { skillDocuments } from '../../discovery/skills.ts'
import { type AddressPrefixes, addressPrefixes } from '../../read/queries/address-prefixes.ts'
import type { Reader } from '../../read/reader.ts'
import { isDemoSnapshot } from '../../read/snapshot.ts'
import type { SnapshotSource } from '../../read/snapshots/snapshot-source.ts'
import { sendMoved } from '../send.ts'

export type DocumentOptions = {
  baseUrl: string
  getServiceUrl: () => string | undefined
  version: string
  issuesTokens: boolean
  snapshots: Pick<SnapshotSource, 'current'>
  reader: Pick<Reader, 'get'>
}

const DOCUMENTS: readonly Document[] = [
  openApi,
  referencePage,
  apiCatalog,
  aiCatalog,
  ardCatalog,
  knownServerCard,
  serverCard,
  serverJson,
  authMd,
  llms,
  robots,
]

/** Without BASE_URL, the URL is known only after the server listens, and the chain only after the first height. */
const createAbout = (options: DocumentOptions) => {
  let known: About | undefined
  return (): About => {
    const isDemo = isDemoSnapshot(options.snapshots.current())
    if (known?.isDemo === isDemo) return known
    const url = options.getServiceUrl()
    if (url === undefined) {
      throw new AppError('CONFIG_INVALID', 'BASE_URL is not set, and nothing listens yet')
    }
    const { version, issuesTokens } = options
    known = { service: describeService(url), version, issuesTokens, isDemo }
    return known
  }
}

/** Some documents have two media types for the same bytes: `Accept` decides. */
const chooseType = ({ type, alternateType }: Document, accept: string | undefined): string =>
  alternateType !== undefined && prefersOther(accept, { usual: type, other: alternateType })
    ? alternateType
    : type

/** The URL of the API in catalogs redirects to the API reference. */
const createApiRoot = (baseUrl: string): Route => ({
  path: API_PATHS.api,
  handlers: { GET: (_request, reply) => sendMoved(baseUrl + API_PATHS.docs, reply) },
})

/** Documents exist without data too. */
const readPrefixes = async (
  reader: DocumentOptions['reader'],
  client: string,
): Promise<AddressPrefixes | null> => {
  try {
    return (await reader.get(addressPrefixes, client)).body
  } catch {
    return null
  }
}

export const createDocumentRoutes = (options: DocumentOptions): Route[] => {
  const about = createAbout(options)
  const createRoute = (document: Document): Route => {
    const { path, type, maxAgeSeconds } = document
    type Source = { about: About; prefixes: AddressPrefixes | null }
    const findResponse = rememberResponse(type, (source: Source) =>
      respellExamples(document.write(source.about), source.prefixes),
    )
    const send: Handler = async (request, reply) => {
      const now = about()
      const prefixes = document.hasAddresses ? await readPrefixes(options.reader, request.ip) : null
      const response = findResponse({ about: now, prefixes })
      const mediaType = chooseType(document, request.headers.accept)
      const named = { ...response, kind: { mediaType, fields: [] } }
      reply.headers(document.headers?.(now) ?? {})
      return sendResponse(named, `public, max-age=${maxAgeSeconds}`, { request, reply })
    }
    return { path, handlers: { GET: send } }
  }
  return [
    createApiRoot(options.baseUrl),
    ...DOCUMENTS.map(createRoute),
    ...skillDocuments(options.issuesTokens).map(createRoute),
  ]
}
