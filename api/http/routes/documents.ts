// Serves the documents of `discovery/`. Each is rendered once and then sent from memory, and again when the chain is known.
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { API_PATHS, describeService } from '../../../auth/contract/service.ts'
import { listeningUrl } from '../../../infra/base/http/listening-url.ts'
import { prefersOther } from '../../../infra/base/http/negotiate.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { About, Document } from '../../discovery/about.ts'
import { aiCatalog, ardCatalog } from '../../discovery/ai-catalog.ts'
import { apiCatalog } from '../../discovery/api-catalog.ts'
import { authMd } from '../../discovery/auth-md.ts'
import { respellExamples } from '../../discovery/example-addresses.ts'
import { llms } from '../../discovery/llms.ts'
import { openApi } from '../../discovery/openapi/document.ts'
import { referenceMarkdown } from '../../discovery/reference/markdown.ts'
import { referencePage } from '../../discovery/reference/page.ts'
import { robots } from '../../discovery/robots.ts'
import { knownServerCard, serverCard } from '../../discovery/server-card.ts'
import { skillDocuments } from '../../discovery/skills.ts'
import { type AddressPrefixes, addressPrefixes } from '../../read/queries/address-prefixes.ts'
import type { Reader } from '../../read/reader.ts'
import { isDemoSnapshot } from '../../read/snapshot.ts'
import type { SnapshotSource } from '../../read/snapshots/snapshot-source.ts'
import { createResponse, prepareResponse, type Response } from '../response.ts'
import { send, sendMoved } from '../send.ts'

export type DocumentOptions = {
  /** Without a trailing slash. If it is empty, URLs use the listening address. */
  baseUrl: string
  version: string
  issuesTokens: boolean
  snapshots: Pick<SnapshotSource, 'current'>
  reader: Pick<Reader, 'get'>
}

const DOCUMENTS: readonly Document[] = [
  openApi,
  referencePage,
  referenceMarkdown,
  apiCatalog,
  aiCatalog,
  ardCatalog,
  knownServerCard,
  serverCard,
  authMd,
  llms,
  robots,
]

/** Without BASE_URL, the URL is known only after the server listens, and the chain only after the first height. */
const createAbout = (app: FastifyInstance, options: DocumentOptions) => {
  let known: About | undefined
  return (): About => {
    const isDemo = isDemoSnapshot(options.snapshots.current())
    if (known?.isDemo === isDemo) return known
    const url = options.baseUrl === '' ? listeningUrl(app.server) : options.baseUrl
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
const addApiRoot = (app: FastifyInstance, baseUrl: string): void => {
  app.get(API_PATHS.api, (request, reply) => sendMoved(baseUrl + API_PATHS.docs, request, reply))
}

type Written = { about: About; prefixes: AddressPrefixes | null; response: Response }

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

export const addDocuments = (app: FastifyInstance, options: DocumentOptions): void => {
  const about = createAbout(app, options)
  addApiRoot(app, options.baseUrl)
  for (const document of [...DOCUMENTS, ...skillDocuments(options.issuesTokens)]) {
    const { type, maxAgeSeconds } = document
    let written: Written | undefined
    app.get(document.path, async (request, reply) => {
      const now = about()
      const prefixes = document.hasAddresses ? await readPrefixes(options.reader, request.ip) : null
      if (written?.about !== now || !isDeepStrictEqual(written.prefixes, prefixes)) {
        const text = Buffer.from(respellExamples(document.write(now), prefixes))
        const response = createResponse(text, { mediaType: type, fields: [] })
        written = { about: now, prefixes, response }
      }
      const mediaType = chooseType(document, request.headers.accept)
      const named = { ...written.response, kind: { mediaType, fields: [] } }
      reply.headers(document.headers?.(now) ?? {})
      const { headers } = request
      const caching = { cacheControl: `public, max-age=${maxAgeSeconds}`, headers }
      send(await prepareResponse(named, caching), reply)
      return reply
    })
  }
}
