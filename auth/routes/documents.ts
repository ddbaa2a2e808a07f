// The discovery documents, built from one description of the service.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasAlready } from '../../infra/runtime/entity-tag.ts'
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

export const addDocuments = (app: FastifyInstance, { service, ring }: AuthContext): void => {
  const documents: Readonly<Record<string, () => object>> = {
    [PATHS.authorizationServer]: () => authorizationServerMetadata(service()),
    [PATHS.openidConfiguration]: () => openidConfiguration(service()),
    [PATHS.protectedResource]: () => protectedResourceMetadata(service(), service().resources[0]),
    [`${PATHS.protectedResource}${PATHS.mcp}`]: () =>
      protectedResourceMetadata(service(), `${service().issuer}${PATHS.mcp}`),
    [PATHS.jwks]: () => ring.jwks(),
  }
  for (const [path, make] of Object.entries(documents)) {
    addRoute(app, {
      path,
      method: 'GET',
      isShared: true,
      handler: async (request, reply) => sendDocument(make(), request, reply),
    })
  }
}
