// `/.well-known/api-catalog`: the APIs of this host as a link set (RFC 9727, RFC 9264). Pure.
import { API_PATHS, PATHS } from '../../auth/contract/service.ts'
import { type About, asJson, type Document } from './about.ts'

export const API_CATALOG_TYPE = 'application/linkset+json'
const PROFILE = 'https://www.rfc-editor.org/info/rfc9727'

const write = ({ service, issuesTokens }: About): string => {
  const { urls } = service
  const metadata = (href: string) =>
    issuesTokens ? { 'service-meta': [{ href, type: 'application/json' }] } : {}
  return asJson({
    linkset: [
      { anchor: urls.apiCatalog, item: [{ href: urls.api }, { href: urls.mcp }] },
      {
        anchor: urls.api,
        'service-desc': [{ href: urls.openapi, type: 'application/openapi+json' }],
        'service-doc': [
          { href: urls.docs, type: 'text/html' },
          { href: urls.authMd, type: 'text/markdown' },
          { href: urls.llms, type: 'text/plain' },
        ],
        ...metadata(urls.protectedResource),
        status: [{ href: urls.health, type: 'application/json' }],
      },
      {
        anchor: urls.mcp,
        'service-desc': [{ href: urls.serverCard, type: 'application/mcp-server-card+json' }],
        ...metadata(`${urls.protectedResource}${PATHS.mcp}`),
      },
    ],
  })
}

export const apiCatalog: Document = {
  path: API_PATHS.apiCatalog,
  type: `${API_CATALOG_TYPE}; profile="${PROFILE}"`,
  maxAgeSeconds: 300,
  headers: ({ service }) => ({ link: `<${service.urls.apiCatalog}>; rel="api-catalog"` }),
  write,
}
