// `/openapi.json`: the OpenAPI 3.1.0 description of the read API, built from its schemas and the definitions that validate requests. Pure.

import type { TSchema } from 'typebox'
import { API_PATHS, SCOPE } from '../../../auth/contract/service.ts'
import { JSON_MEDIA_TYPE } from '../../formats/rows.ts'
import type { Operation, RequestHeader } from '../../resources/operation.ts'
import { OPERATIONS } from '../../resources/operations.ts'
import {
  describeParameter,
  getParameter,
  type OwnParameters,
  type ParameterName,
} from '../../resources/parameters.ts'
import {
  findPathNames,
  getPathParameter,
  type PathParameterName,
  toPathTemplate,
} from '../../resources/path-parameters.ts'
import { NULL_MEANS } from '../../schemas/common.ts'
import type { About, DiscoveryDocument } from '../documents.ts'
import { schemaComponents } from './components.ts'
import { createResponses, HEADERS, responseComponents } from './responses.ts'

/** The version of the API contract, not of the product. */
export const API_VERSION = '1.0.0'

export const TITLE = 'Rollcall read API'

export const DESCRIPTION = `Read access to the governance of a chain: proposals, deposits, votes per pool and per voter, events, and the evidence of every tally. A pool is a validator with the stake delegated to it. The API cannot vote or move funds.

**Amounts** are decimal strings in the chain's base unit. ${NULL_MEANS}

**Height**: every response has \`asOf\`, the height for which it is valid.

**Pages** are numbered from 0. A page after the last one has no items. With \`cursor\`, a client reads each item exactly once, also while new items arrive. A cursor stays valid for 15 minutes after a rebuild of the tables.

**Formats**: a list is JSON, or rows with \`format=csv\` or \`format=ndjson\`. \`Accept\` with \`text/csv\` or \`application/x-ndjson\` does the same. Rows are the items of the same page. Header fields replace the other members, and \`Link\` has the next page. CSV follows RFC 4180 and has a header line; \`null\` is an empty cell.

**Caching**: responses have strong entity tags. Send \`If-None-Match\` and get 304 while nothing has changed. HEAD works wherever GET works. Other methods get 405 with \`Allow\`.

**Errors** are problem details (RFC 9457). \`type\` is the URL of a page that explains \`code\`. A \`code\` never changes.

**Quota**: every response has \`RateLimit\` and \`RateLimit-Policy\`. After a 429 wait \`Retry-After\` seconds.

**Versions**: changes are additive only. A removal is announced with \`Deprecation\` and \`Sunset\` (RFC 9745, RFC 8594). No removal is announced at present.`

export const TAGS = [
  { name: 'Proposals', description: 'Proposals with their deposits, votes, events and evidence' },
  { name: 'Pools and voters', description: 'The voting records of pools and voters' },
  {
    name: 'Proofs',
    description:
      'Proofs of the state of a proposal that require no trust in this service or its nodes',
  },
  { name: 'Service', description: 'Health of the service and the stream of changes' },
] as const

const queryParameter = (
  name: ParameterName,
  { required, own }: { required: boolean; own: OwnParameters | undefined },
) => {
  const parameter = getParameter(name, own)
  const { schema, value, example, isList } = parameter
  const { description: _, ...text } = schema as TSchema & { description?: string }
  return {
    name,
    in: 'query',
    required,
    description: describeParameter(parameter),
    ...(isList ? { style: 'form', explode: true } : {}),
    schema: { ...(value ?? text) },
    ...(example === undefined ? {} : { example }),
  }
}

const pathParameter = (name: PathParameterName) => {
  const { description, schema, example } = getPathParameter(name)
  return { name, in: 'path', required: true, description, schema, example }
}

const headerParameter = ({ name, ...header }: RequestHeader) => ({
  name,
  in: 'header',
  required: false,
  ...header,
})

const toParameterObjects = ({
  kind,
  path,
  queryParameters,
  requiredParameters = [],
  parameters: own,
  requestHeaders = [],
}: Operation) => {
  const names = kind === 'list' ? [...queryParameters, 'format' as const] : queryParameters
  return [
    ...findPathNames(path).map(pathParameter),
    ...names.map((name) =>
      queryParameter(name, { required: requiredParameters.includes(name), own }),
    ),
    ...requestHeaders.map(headerParameter),
  ]
}

/** A token is optional; both schemes describe the same token. */
const toSecurity = (issuesTokens: boolean) =>
  issuesTokens ? [{}, { bearerAuth: [] }, { agent: [SCOPE] }] : [{}]

const operationObject = (operation: Operation, about: About) => {
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

export const createOpenApi = (about: About) => {
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

export const openApi: DiscoveryDocument = {
  path: API_PATHS.openapi,
  type: JSON_MEDIA_TYPE,
  alternateType: 'application/openapi+json;version=3.1',
  maxAgeSeconds: 300,
  hasAddresses: true,
  // Without spaces: language models pay for each token.
  write: (about) => `${JSON.stringify(createOpenApi(about))}\n`,
}
