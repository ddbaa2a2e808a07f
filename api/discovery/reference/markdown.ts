// `/docs.md`: the API reference as Markdown, from the OpenAPI document. It needs no script. Pure.
import { API_PATHS } from '../../../auth/contract/service.ts'
import { DEMO_NOTE } from '../../../ingest/contract/demo-chain.ts'
import { blocks, list, table } from '../../document/markdown/text.ts'
import { type About, type Document, MARKDOWN_TYPE } from '../about.ts'
import { createOpenApi } from '../openapi/document.ts'
import type {
  JsonSchema,
  OpenApi,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from '../openapi/types.ts'

const toSchemas = (value: unknown): readonly JsonSchema[] =>
  Array.isArray(value) ? (value as JsonSchema[]) : []

/** The name of a component, or undefined for a schema in place. */
const findName = ({ $ref }: JsonSchema | Partial<Reference>): string | undefined =>
  typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined

const toAnchor = (name: string): string => `[${name}](#${name.toLowerCase()})`

/** Own texts are Markdown already; in a table, a bar must not end the cell. */
const toCell = (text: unknown): string =>
  typeof text === 'string' ? text.replaceAll('\n\n', ' ').replaceAll('|', '\\|') : ''

const toValue = (value: unknown): string => `\`${toCell(JSON.stringify(value))}\``

const typeText = (schema: JsonSchema): string => {
  const name = findName(schema)
  if (name !== undefined) return toAnchor(name)
  const branches = toSchemas(schema['anyOf'])
  if (branches.length > 0) return branches.map(typeText).join(' or ')
  if (Array.isArray(schema['enum'])) return schema['enum'].map(toValue).join(' ')
  const { type, const: constant, items } = schema
  if (constant !== undefined) return toValue(constant)
  if (type === 'array') return `array of ${typeText((items ?? {}) as JsonSchema)}`
  return Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any'
}

/** The schema inside arrays and nullable unions: it has the nested members. */
const unwrapSchema = (schema: JsonSchema): JsonSchema => {
  const items = schema['items'] as JsonSchema | undefined
  if (items) return unwrapSchema(items)
  const [only, ...others] = toSchemas(schema['anyOf']).filter(({ type }) => type !== 'null')
  return only && others.length === 0 ? unwrapSchema(only) : schema
}

const memberRows = (schema: JsonSchema, prefix = ''): string[][] => {
  const parts = toSchemas(schema['allOf'])
  if (parts.length > 0) return parts.flatMap((part) => memberRows(part, prefix))
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  return members.flatMap(([name, member]) => {
    const content = unwrapSchema(member)
    const meaning = toCell(member['description'] ?? content['description'])
    const row = [`\`${prefix}${name}\``, typeText(member), meaning]
    const isNamed = findName(content) !== undefined
    return [row, ...(isNamed ? [] : memberRows(content, `${prefix}${name}.`))]
  })
}

const schemaSection = ([name, schema]: [string, JsonSchema]): string => {
  const rows = memberRows(schema)
  const description = schema['description'] as string | undefined
  const members =
    rows.length > 0 ? table(['Member', 'Type', 'Description'], rows) : typeText(schema)
  return blocks(`### ${name}`, description, members)
}

const parameterRow = ({ name, in: place, required, schema, description }: ParameterObject) => [
  `\`${name}\``,
  `${place}${required ? ', required' : ''}`,
  typeText(schema),
  toCell(description),
]

const curlCommand = (path: string, { parameters }: OperationObject, server: string): string => {
  const find = (name: string) => parameters.find((each) => each.name === name)?.example ?? name
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `${find(name)}`)
  const required = parameters.filter((each) => each.in === 'query' && each.required)
  const query = required.map(({ name }) => `${name}={${name}}`).join('&')
  return `curl -s '${server}${filled}${query === '' ? '' : `?${query}`}'`
}

const resolveResponse = (api: OpenApi, response: ResponseObject | Reference): ResponseObject => {
  if (!('$ref' in response)) return response
  const name = findName(response) ?? ''
  return api.components.responses[name] ?? { description: name }
}

const responseRow = ([status, { description, content = {} }]: [string, ResponseObject]) => {
  const types = Object.entries(content).map(([mediaType, { schema }]) => {
    const name = findName(schema)
    return name === undefined ? mediaType : `${mediaType}: ${toAnchor(name)}`
  })
  return [status, toCell(description), types.join(', ')]
}

const codeBlock = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

const operationSection = (api: OpenApi, path: string, operation: OperationObject): string => {
  const { operationId, summary, description, parameters } = operation
  const responses = Object.entries(operation.responses).map(
    ([status, response]): [string, ResponseObject] => [status, resolveResponse(api, response)],
  )
  const example = new Map(responses).get('200')?.content?.['application/json']?.example
  return blocks(
    `### ${summary}`,
    `\`GET ${path}\` (${operationId})`,
    description,
    parameters.length > 0 &&
      table(['Parameter', 'In', 'Type', 'Description'], parameters.map(parameterRow)),
    table(['Status', 'Description', 'Content'], responses.map(responseRow)),
    codeBlock('sh', curlCommand(path, operation, api.servers[0]?.url ?? '')),
    example !== undefined && codeBlock('json', JSON.stringify(example, null, 2)),
  )
}

const write = (about: About): string => {
  const api = createOpenApi(about)
  const { urls } = about.service
  const groups = api.tags.flatMap(({ name, description }) => [
    `## ${name}`,
    `${description}.`,
    ...Object.entries(api.paths)
      .filter(([, { get }]) => get.tags.includes(name))
      .map(([path, { get }]) => operationSection(api, path, get)),
  ])
  return blocks(
    `# ${api.info.title} ${api.info.version}`,
    about.isDemo ? `**${DEMO_NOTE}**` : null,
    api.info.description,
    list(`[OpenAPI 3.1](${urls.openapi})`, `[llms.txt](${urls.llms})`),
    ...groups,
    '## Schemas',
    ...Object.entries(api.components.schemas).map(schemaSection),
  )
}

export const referenceMarkdown: Document = {
  path: API_PATHS.docsMarkdown,
  type: MARKDOWN_TYPE,
  maxAgeSeconds: 300,
  hasAddresses: true,
  write,
}
