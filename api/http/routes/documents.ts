// Serves the documents of `discovery/`, each rendered once and again when the chain is known; the sitemap; and files at fixed paths.
import { API_PATHS, describeService } from '../../../auth/contract/service.ts'
import { ASSET_CACHING, type Asset, ICON } from '../../../infra/base/html/asset.ts'
import { createNegotiation } from '../../../infra/base/http/negotiate.ts'
import {
  createResponse,
  rememberResponse,
  sendResponse,
} from '../../../infra/base/http/response.ts'
import type { Handler, Route } from '../../../infra/base/http/routes.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import {
  aiCatalog,
  apiCatalog,
  ardCatalog,
  knownServerCard,
  serverCard,
  serverJson,
} from '../../discovery/catalogs.ts'
import {
  type About,
  authMd,
  type DiscoveryDocument,
  respellExamples,
  robots,
  SITEMAP_TYPE,
  writeSitemap,
} from '../../discovery/documents.ts'
import { openApi } from '../../discovery/openapi/document.ts'
import { referencePage } from '../../discovery/reference/page.tsx'
import { llms, skillDocuments } from '../../discovery/skills.ts'
import { ApiProblem } from '../../read/problems.ts'
import { type AddressPrefixes, addressPrefixes } from '../../read/queries/addresses.ts'
import { readOr } from '../../read/reader.ts'
import { isDemoSnapshot, type Snapshot } from '../../read/snapshot.ts'
import { allPools } from '../../resources/pools.ts'
import { sendMoved } from '../send.ts'
import type { Service } from '../service.ts'

const DOCUMENTS: readonly DiscoveryDocument[] = [
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
const createAbout = (options: Service) => {
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

/** The URL of the API in catalogs redirects to the API reference. */
const createApiRoot = (baseUrl: string): Route => ({
  path: API_PATHS.api,
  handlers: { GET: (_request, reply) => sendMoved(baseUrl + API_PATHS.docs, reply) },
})

export const createDocumentRoutes = (options: Service): Route[] => {
  const { reader } = options
  const about = createAbout(options)
  const createRoute = (document: DiscoveryDocument): Route => {
    const { path, type, alternateType = type, maxAgeSeconds } = document
    // Some documents have two media types for the same bytes.
    const chooseType = createNegotiation([type, alternateType])
    type Source = { about: About; prefixes: AddressPrefixes | null }
    const findResponse = rememberResponse(type, (source: Source) =>
      respellExamples(document.write(source.about), source.prefixes),
    )
    const send: Handler = async (request, reply) => {
      const now = about()
      const read = { client: request.ip, otherwise: null }
      const prefixes = document.hasAddresses ? await readOr(reader, addressPrefixes, read) : null
      const response = findResponse({ about: now, prefixes })
      const mediaType = chooseType(request.headers.accept) ?? type
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

/** A proposal without a time is being replaced and is listed later. */
const listProposals = (snapshot: Snapshot | undefined) =>
  [...(snapshot?.watermarks ?? [])].flatMap(([proposalId, { timeMs }]) =>
    timeMs === 0 ? [] : [{ proposalId, changedMs: timeMs }],
  )

export const createSitemapRoute = ({ getServiceUrl, snapshots, reader }: Service): Route => {
  type Source = { changedAt: bigint | undefined; pools: readonly string[] }
  const findResponse = rememberResponse(SITEMAP_TYPE, ({ pools }: Source) => {
    const service = describeService(getServiceUrl() ?? '')
    return writeSitemap(service, { proposals: listProposals(snapshots.current()), pools })
  })
  const sendSitemap: Handler = async (request, reply) => {
    const pools = await readOr(reader, allPools, { client: request.ip, otherwise: [] })
    const operators = pools.map(({ operatorAddress }) => operatorAddress)
    const { changedAt } = snapshots.current() ?? { changedAt: undefined }
    const response = findResponse({ changedAt, pools: operators })
    return sendResponse(response, 'public, max-age=3600', { request, reply })
  }
  return { path: API_PATHS.sitemap, handlers: { GET: sendSitemap } }
}

const DAY_MS = 86_400_000
/** RFC 9116 recommends less than a year. The file is written for each request, so it never expires. */
const VALID_DAYS = 180

/** `contact` is a URI. */
export const writeSecurityTxt = (contact: string, nowMs: number): string => {
  const expires = Math.ceil(nowMs / DAY_MS + VALID_DAYS) * DAY_MS
  return `Contact: ${contact}\nExpires: ${new Date(expires).toISOString()}\nPreferred-Languages: en\n`
}

// Browsers request it for pages without an icon of their own, such as JSON.
const sendIcon: Handler = (_request, reply) =>
  reply
    .header('cache-control', 'public, max-age=86400')
    .header('content-type', ICON.mediaType)
    .send(ICON.bytes)

export const createWellKnownRoutes = ({ securityContact, clock }: Service): Route[] => {
  const sendSecurityTxt: Handler = (_request, reply) => {
    if (securityContact === undefined) {
      throw new ApiProblem(
        'route-not-found',
        'The operator of this service has set no contact for security reports (SECURITY_CONTACT).',
      )
    }
    return reply
      .header('cache-control', 'public, max-age=3600')
      .header('content-type', 'text/plain; charset=utf-8')
      .send(writeSecurityTxt(securityContact, clock.now()))
  }
  return [
    { path: API_PATHS.securityTxt, handlers: { GET: sendSecurityTxt } },
    { path: '/favicon.ico', handlers: { GET: sendIcon } },
  ]
}

export const createAssetRoute = ({ path, mediaType, bytes }: Asset): Route => {
  const response = createResponse(bytes, { mediaType, fields: [] })
  return {
    path,
    operation: 'asset',
    handlers: {
      GET: (request, reply) => sendResponse(response, ASSET_CACHING, { request, reply }),
    },
  }
}
