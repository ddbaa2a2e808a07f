// Serves the documents of this folder: written once, then sent from memory with entity tag, coding and media type.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_PATHS, describeService } from '../../auth/contract/service.ts'
import { hasAlready } from '../../infra/runtime/entity-tag.ts'
import { AppError } from '../../infra/runtime/errors.ts'
import { listeningUrl } from '../../infra/runtime/listening-url.ts'
import { isWorthCompressing, type StampedPage, stampBytes } from '../pages/page-content.ts'
import { codingFor } from '../plugins/coding.ts'
import { commonHeaders } from '../plugins/headers.ts'
import type { About, Document } from './about.ts'
import { aiCatalog, ardCatalog } from './ai-catalog.ts'
import { apiCatalog } from './api-catalog.ts'
import { authMd } from './auth-md.ts'
import { docsPage } from './docs/page.ts'
import { llms } from './llms.ts'
import { prefersOther } from './media-type.ts'
import { openApi } from './openapi/document.ts'
import { robots, sitemap } from './robots.ts'
import { knownServerCard, serverCard } from './server-card.ts'
import { skillDocuments } from './skills.ts'

export type DiscoveryOptions = {
  /** Without a trailing slash; empty where the address that is listened on is meant. */
  baseUrl: string
  version: string
  issuesTokens: boolean
}

const DOCUMENTS: readonly Document[] = [
  openApi,
  docsPage,
  apiCatalog,
  aiCatalog,
  ardCatalog,
  knownServerCard,
  serverCard,
  authMd,
  llms,
  robots,
  sitemap,
]

/** Known once something listens, where no address was told. */
const createAbout = (app: FastifyInstance, options: DiscoveryOptions) => {
  let known: About | undefined
  return (): About => {
    if (known) return known
    const url = options.baseUrl === '' ? listeningUrl(app.server) : options.baseUrl
    if (url === undefined) {
      throw new AppError('CONFIG_INVALID', 'BASE_URL is not set, and nothing listens yet')
    }
    const { version, issuesTokens } = options
    known = { service: describeService(url), version, issuesTokens }
    return known
  }
}

type Written = { bytes: StampedPage; headers: Readonly<Record<string, string>> }

const typeFor = ({ type, alternateType }: Document, accept: string | undefined): string =>
  alternateType !== undefined && prefersOther(accept, { usual: type, other: alternateType })
    ? alternateType
    : type

const send = (
  { bytes, headers }: Written,
  document: Document,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): FastifyReply => {
  const asked = request.headers
  const coding = isWorthCompressing(bytes) ? codingFor(asked['accept-encoding']) : 'identity'
  const body = bytes.body(coding)
  reply.headers({
    ...commonHeaders(request),
    ...headers,
    etag: body.etag,
    'cache-control': `public, max-age=${document.maxAgeSeconds}`,
  })
  if (hasAlready(asked['if-none-match'], body.etag)) return reply.code(304).send()
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.header('content-type', typeFor(document, asked.accept)).send(body.bytes)
}

/** The name by which catalogs speak of the API as a whole leads to what is said of it. */
const addApiRoot = (app: FastifyInstance, baseUrl: string): void => {
  app.get(API_PATHS.api, (request, reply) =>
    reply
      .code(308)
      .headers({
        ...commonHeaders(request),
        location: baseUrl + API_PATHS.docs,
        'cache-control': 'public, max-age=86400',
      })
      .send(),
  )
}

export const addDiscovery = (app: FastifyInstance, options: DiscoveryOptions): void => {
  const about = createAbout(app, options)
  addApiRoot(app, options.baseUrl)
  for (const document of [...DOCUMENTS, ...skillDocuments(options.issuesTokens)]) {
    let written: Written | undefined
    app.get(document.path, (request, reply) => {
      written ??= {
        bytes: stampBytes(Buffer.from(document.write(about())), {
          mediaType: document.type,
          fields: [],
        }),
        headers: document.headers?.(about()) ?? {},
      }
      return send(written, document, { request, reply })
    })
  }
}
