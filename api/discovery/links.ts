// The `Link` field of the home page: where an agent that knows only the host name goes on (RFC 8288). Pure.
import { API_PATHS, PATHS } from '../../auth/contract/service.ts'
import { API_CATALOG_TYPE } from './api-catalog.ts'

const LINKS: readonly (readonly [path: string, relation: string, type: string])[] = [
  [API_PATHS.apiCatalog, 'api-catalog', API_CATALOG_TYPE],
  [API_PATHS.openapi, 'service-desc', 'application/openapi+json;version=3.1'],
  [API_PATHS.docs, 'service-doc', 'text/html'],
  [PATHS.authMd, 'service-doc', 'text/markdown'],
  [API_PATHS.health, 'status', 'application/json'],
  [API_PATHS.llms, 'describedby', 'text/plain'],
  [API_PATHS.aiCatalog, 'ai-catalog', 'application/ai-catalog+json'],
  [API_PATHS.ard, 'ard', 'application/json'],
]

/** Relative: right under whatever name the page was reached. */
export const homeLinks = (): string =>
  LINKS.map(([path, relation, type]) => {
    const quoted = type.replaceAll('"', '\\"')
    return `<${path}>; rel="${relation}"; type="${quoted}"`
  }).join(', ')
