// `/docs`: the API reference as one page of the site, without scripts. Pure.
import { API_PATHS } from '../../../auth/contract/service.ts'
import { type Html, type HtmlValue, html } from '../../../infra/base/html/html.ts'
import { PAGE_HEADERS, pageFrame, toRootPath } from '../../../infra/base/html/page-frame.ts'
import { DEMO_NOTE } from '../../../ingest/contract/demo-chain.ts'
import type { About, Document } from '../about.ts'
import { createOpenApi } from '../openapi/document.ts'
import type {
  JsonSchema,
  OpenApi,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from '../openapi/types.ts'
import { type Cells, inline, joinHtml, paragraphs, table } from './html.ts'
import { renderType, schemaRows } from './schema-rows.ts'

type PathOperation = { path: string; operation: OperationObject }

const findOperations = ({ paths }: OpenApi, tag: string): PathOperation[] =>
  Object.entries(paths)
    .map(([path, { get }]) => ({ path, operation: get }))
    .filter(({ operation }) => operation.tags.includes(tag))

const parameterRow = (parameter: ParameterObject): Cells => {
  const { name, in: location, required, description, schema } = parameter
  return [
    html`<code>${name}</code>`,
    `${location}${required ? ', required' : ''}`,
    renderType(schema),
    inline(description),
  ]
}

const responseRow = ([status, response]: [string, ResponseObject]): Cells => {
  const types = Object.entries(response.content ?? {}).map(([type, { schema }]) => {
    const reference = (schema as Partial<Reference>).$ref
    const schemaLink = reference === undefined ? '' : [' ', renderType(schema as JsonSchema)]
    return html`<code>${type}</code>${schemaLink}`
  })
  return [status, inline(response.description), joinHtml(types, html`<br>`)]
}

const formatCurl = (server: string, { path, operation }: PathOperation): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { example } = operation.parameters.find((each) => each.name === name) ?? {}
    return `${example ?? name}`
  })
  const query = operation.parameters
    .filter((each) => each.in === 'query' && each.required)
    .map((each) => `${each.name}={${each.name}}`)
    .join('&')
  return `curl -s '${server}${filled}${query === '' ? '' : `?${query}`}'`
}

const resolveResponse = (api: OpenApi, response: ResponseObject | Reference): ResponseObject => {
  if (!('$ref' in response)) return response
  const name = response.$ref.split('/').at(-1) ?? ''
  return api.components.responses[name] ?? { description: name }
}

const exampleBlock = (found: ResponseObject | undefined): HtmlValue => {
  const example = found?.content?.['application/json']?.example
  if (example === undefined) return undefined
  return html`<details><summary>Example</summary>
<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre></details>`
}

const PARAMETER_COLUMNS = ['Name', 'In', 'Type', 'Description']
const RESPONSE_COLUMNS = ['Status', 'Description', 'Content type']
const MEMBER_COLUMNS = ['Member', 'Type', 'Description']

const operationSection = (api: OpenApi, pathOperation: PathOperation): Html => {
  const { path, operation } = pathOperation
  const { operationId, summary, description, parameters, responses } = operation
  const server = api.servers[0]?.url ?? ''
  const responseEntries = Object.entries(responses).map(
    ([status, response]): [string, ResponseObject] => [status, resolveResponse(api, response)],
  )
  return html`<section id="${operationId}">
<h3>${summary}</h3>
<p class="code">GET ${path} <span class="soft">${operationId}</span></p>
${paragraphs(description)}
${parameters.length > 0 && html`<h4>Parameters</h4>\n`}\
${table(PARAMETER_COLUMNS, parameters.map(parameterRow), `Parameters of ${operationId}`)}
<h4>Responses</h4>
${table(RESPONSE_COLUMNS, responseEntries.map(responseRow), `Responses of ${operationId}`)}
<h4>Request</h4>
<pre tabindex="0"><code>${formatCurl(server, pathOperation)}</code></pre>
${exampleBlock(Object.fromEntries(responseEntries)['200'])}
</section>
`
}

const schemaSection = ([name, schema]: [string, JsonSchema]): Html => {
  const description = typeof schema['description'] === 'string' ? schema['description'] : ''
  const rows = schemaRows(schema)
  return html`<section id="schema-${name}">
<h3>${name}</h3>
${description !== '' && paragraphs(description)}
${rows.length === 0 && html`<p>${renderType(schema)}</p>`}
${table(MEMBER_COLUMNS, rows, `Members of ${name}`)}
</section>
`
}

/** Folded, because there are a hundred links. */
const contents = (api: OpenApi): Html => {
  const item = (href: string, text: string) => html`<li><a href="#${href}">${text}</a></li>`
  const group = (name: string, items: readonly Html[]) =>
    html`<details><summary>${name}</summary><ul>${items}</ul></details>\n`
  const groups = api.tags.map(({ name }) => {
    const own = findOperations(api, name)
    return group(
      name,
      own.map(({ operation }) => item(operation.operationId, operation.summary)),
    )
  })
  const schemas = Object.keys(api.components.schemas).map((name) => item(`schema-${name}`, name))
  return html`<nav class="contents" aria-label="Contents">
${groups}${group('Schemas', schemas)}</nav>`
}

const machineLinks = ({ service: { urls } }: About): HtmlValue => {
  const links = [
    [urls.openapi, 'OpenAPI 3.1'],
    [urls.authMd, 'auth.md'],
    [urls.llms, 'llms.txt'],
    [urls.serverCard, 'MCP server card'],
    [urls.apiCatalog, 'API catalog'],
  ]
  return joinHtml(
    links.map(([url, text]) => html`<a href="${url}">${text}</a>`),
    ' · ',
  )
}

const write = (about: About): string => {
  const api = createOpenApi(about)
  const groups = api.tags.map(({ name, description }) => {
    const own = findOperations(api, name)
    return html`<h2>${name}</h2>
${paragraphs(description)}${own.map((pathOperation) => operationSection(api, pathOperation))}`
  })
  const main = html`<h1>${api.info.title} ${api.info.version}</h1>
<div class="reference">
${contents(api)}
<div>
${paragraphs(api.info.description)}
<p>Machine-readable documents: ${machineLinks(about)}</p>
${groups}
<h2>Schemas</h2>
${Object.entries(api.components.schemas).map(schemaSection)}
</div>
</div>`
  return pageFrame(
    {
      title: 'API reference',
      description: String(api.info['summary']),
      path: API_PATHS.docs,
      hasMarkdown: false,
      notice: about.isDemo ? DEMO_NOTE : undefined,
      main,
    },
    toRootPath(about.service.issuer),
  )
}

export const docsPage: Document = {
  path: API_PATHS.docs,
  type: 'text/html; charset=utf-8',
  maxAgeSeconds: 300,
  hasAddresses: true,
  headers: () => PAGE_HEADERS,
  write,
}
