// The discovery documents, built from one description of the service.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasAlready } from '../../infra/base/http/entity-tag.ts'
import type { AuthContext } from '../context.ts'
import {
  authorizationServerMetadata,
  openidConfiguration,
  PATHS,
  protectedResourceMetadata,
} from '../contract/service.ts'
import { addRoute } from './route.ts'

const sendDocument = (document: object, request: FastifyRequest, reply: FastifyReply) => {
  const text = `${JSON.stringify(document, null, 2)}\n`
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
  reply.headers({ etag, 'cache-control': 'public, max-age=300' })
  if (hasAlready(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(text)
}

export const addDocuments = (
  app: FastifyInstance,
  { service, ring, basePath }: AuthContext,
): void => {
  const add = (path: string, write: () => object) =>
    addRoute(app, {
      path,
      method: 'GET',
      isShared: true,
      handler: async (request, reply) => sendDocument(write(), request, reply),
    })
  /** With the path of `BASE_URL`, where clients look for it, and without: a proxy may remove that path. */
  const addMetadata = (path: string, write: () => object, resource = '') => {
    for (const inserted of new Set(['', basePath])) add(path + inserted + resource, write)
  }
  const describeResource = (path: string) =>
    protectedResourceMetadata(service(), `${service().issuer}${path}`)
  addMetadata(PATHS.authorizationServer, () => authorizationServerMetadata(service()))
  addMetadata(PATHS.openidConfiguration, () => openidConfiguration(service()))
  addMetadata(PATHS.protectedResource, () => describeResource(''))
  addMetadata(PATHS.protectedResource, () => describeResource(PATHS.mcp), PATHS.mcp)
  add(PATHS.jwks, () => ring.jwks())
}
