// The `Link` header of the home page: the documents for an agent that has only the host name (RFC 8288). Pure.
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

/** Relative URLs: they are valid for every host name of the service. */
export const homeLinks = (): string =>
  LINKS.map(([path, relation, type]) => {
    const quoted = type.replaceAll('"', '\\"')
    return `<${path}>; rel="${relation}"; type="${quoted}"`
  }).join(', ')
