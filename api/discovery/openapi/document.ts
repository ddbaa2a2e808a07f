// `/openapi.json`: the OpenAPI 3.1.0 description of the read API, built from its schemas. Pure.
import { API_PATHS, SCOPE } from '../../../auth/contract/service.ts'
import type { Operation } from '../../resources/operation.ts'
import { OPERATIONS } from '../../resources/operations.ts'
import { toPathTemplate } from '../../resources/path-parameters.ts'
import { type About, type Document, JSON_TYPE } from '../about.ts'
import { API_VERSION, DESCRIPTION, TAGS, TITLE } from './info.ts'
import { toParameterObjects } from './parameters.ts'
import { createResponses, HEADERS, responseComponents } from './responses.ts'
import { schemaComponents } from './schemas.ts'
import type { OpenApi, OperationObject } from './types.ts'

/** A token is optional; both schemes describe the same token. */
const toSecurity = (issuesTokens: boolean): OperationObject['security'] =>
  issuesTokens ? [{}, { bearerAuth: [] }, { agent: [SCOPE] }] : [{}]

const operationObject = (operation: Operation, about: About): OperationObject => {
  const { operationId, tag, summary, description } = operation
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    parameters: toParameterObjects(operation),
    responses: createResponses(operation, about.service.issuer),
    security: toSecurity(about.issuesTokens),
  }
}

const securitySchemes = ({ urls }: About['service']) => ({
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT (RFC 9068)',
    description: `Optional: it identifies the agent. How to get a token: ${urls.authMd}`,
  },
  agent: {
    type: 'oauth2',
    description: 'The grant without a client secret. Registered agents have other grants.',
    flows: {
      clientCredentials: {
        tokenUrl: urls.token,
        scopes: { [SCOPE]: 'Read proposals and votes. Nothing can be written.' },
      },
    },
  },
})

export const createOpenApi = (about: About): OpenApi => {
  const { service, issuesTokens } = about
  return {
    openapi: '3.1.0',
    info: {
      title: TITLE,
      version: API_VERSION,
      description: DESCRIPTION,
      summary: 'Governance proposals of a chain, with votes and tallies. Read only.',
      contact: { name: 'Rollcall', url: service.issuer },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: service.issuer, description: 'This deployment' }],
    externalDocs: { url: service.urls.docs, description: 'The same as an HTML page' },
    tags: TAGS,
    paths: Object.fromEntries(
      OPERATIONS.map((operation) => [
        toPathTemplate(operation.path),
        { get: operationObject(operation, about) },
      ]),
    ),
    components: {
      schemas: schemaComponents(),
      responses: responseComponents(service.issuer),
      headers: HEADERS,
      ...(issuesTokens ? { securitySchemes: securitySchemes(service) } : {}),
    },
  }
}

export const openApi: Document = {
  path: API_PATHS.openapi,
  type: JSON_TYPE,
  alternateType: 'application/openapi+json;version=3.1',
  maxAgeSeconds: 300,
  hasAddresses: true,
  // Without spaces: language models pay for each token.
  write: (about) => `${JSON.stringify(createOpenApi(about))}\n`,
}
