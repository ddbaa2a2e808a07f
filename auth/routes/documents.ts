// The discovery documents, built from one description of the service.
import type { Route } from '../../infra/base/http/routes.ts'
import type { AuthContext } from '../context.ts'
import {
  authorizationServerMetadata,
  openidConfiguration,
  PATHS,
  protectedResourceMetadata,
} from '../contract/service.ts'
import { createDocument } from './route.ts'

const createJson = (path: string, write: () => object): Route =>
  createDocument({
    path,
    mediaType: 'application/json; charset=utf-8',
    cacheControl: 'public, max-age=300',
    write: () => `${JSON.stringify(write(), null, 2)}\n`,
  })

export const createDocuments = ({ service, ring, basePath }: AuthContext): Route[] => {
  /** With the path of `BASE_URL`, where clients look for it, and without: a proxy may remove that path. */
  const createMetadata = (path: string, write: () => object, resource = ''): Route[] =>
    [...new Set(['', basePath])].map((inserted) => createJson(path + inserted + resource, write))
  const describeResource = (path: string) =>
    protectedResourceMetadata(service(), `${service().issuer}${path}`)
  return [
    ...createMetadata(PATHS.authorizationServer, () => authorizationServerMetadata(service())),
    ...createMetadata(PATHS.openidConfiguration, () => openidConfiguration(service())),
    ...createMetadata(PATHS.protectedResource, () => describeResource('')),
    ...createMetadata(PATHS.protectedResource, () => describeResource(PATHS.mcp), PATHS.mcp),
    createJson(PATHS.jwks, () => ring.keySet()?.jwks ?? { keys: [] }),
  ]
}
