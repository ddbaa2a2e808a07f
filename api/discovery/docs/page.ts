// `/docs`: the description of the API as one page for people, with nothing fetched and nothing run. Pure.
import { createHash } from 'node:crypto'
import { API_PATHS } from '../../../auth/contract/service.ts'
import type { About, Document } from '../about.ts'
import { openApiOf } from '../openapi/document.ts'
import type {
  JsonSchema,
  OpenApi,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from '../openapi/types.ts'
import { asText, inline, paragraphs, table } from './html.ts'
import { schemaRows, typeOf } from './schema-rows.ts'
import { STYLE } from './style.ts'

const STYLE_DIGEST = createHash('sha256').update(STYLE).digest('base64')
const POLICY = [
  "default-src 'none'",
  // The empty icon, so that none is asked for.
  'img-src data:',
  `style-src 'sha256-${STYLE_DIGEST}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Placed = { path: string; operation: OperationObject }

const operationsOf = ({ paths }: OpenApi): Placed[] =>
  Object.entries(paths).map(([path, { get }]) => ({ path, operation: get }))

const parameterRow = ({ name, in: place, required, description, schema }: ParameterObject) => [
  `<code>${asText(name)}</code>`,
  `${place}${required ? ', required' : ''}`,
  typeOf(schema),
  inline(description),
]

const answerRow = ([status, response]: [string, ResponseObject]) => {
  const types = Object.entries(response.content ?? {}).map(([type, { schema }]) => {
    const reference = (schema as Partial<Reference>).$ref
    const shape = reference === undefined ? '' : ` ${typeOf(schema as JsonSchema)}`
    return `<code>${asText(type)}</code>${shape}`
  })
  return [status, inline(response.description), types.join('<br>')]
}

const curlOf = (server: string, { path, operation }: Placed): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { example } = operation.parameters.find((each) => each.name === name) ?? {}
    return `${example ?? name}`
  })
  return `curl -s '${server}${filled}'`
}

const responseIn = (api: OpenApi, response: ResponseObject | Reference): ResponseObject => {
  if (!('$ref' in response)) return response
  const name = response.$ref.split('/').at(-1) ?? ''
  return api.components.responses[name] ?? { description: name }
}

const exampleOf = (found: ResponseObject | undefined): string => {
  const example = found?.content?.['application/json']?.example
  if (example === undefined) return ''
  return `<details><summary>An answer</summary>
<pre tabindex="0"><code>${asText(JSON.stringify(example, null, 2))}</code></pre></details>`
}

const operationSection = (api: OpenApi, placed: Placed): string => {
  const { path, operation } = placed
  const { operationId, summary, description, parameters, responses } = operation
  const server = api.servers[0]?.url ?? ''
  const answers = Object.entries(responses).map(([status, response]): [string, ResponseObject] => [
    status,
    responseIn(api, response),
  ])
  return `<section id="${operationId}">
<h3>${asText(summary)}</h3>
<p class="path">GET ${asText(path)} <span class="soft">${operationId}</span></p>
${paragraphs(description)}
${table(['name', 'where', 'type', 'meaning'], parameters.map(parameterRow), `What ${operationId} takes`)}
${table(['status', 'when', 'body'], answers.map(answerRow), `What ${operationId} answers`)}
<pre tabindex="0"><code>${asText(curlOf(server, placed))}</code></pre>
${exampleOf(Object.fromEntries(answers)['200'])}
</section>`
}

const schemaSection = ([name, schema]: [string, JsonSchema]): string => {
  const description = typeof schema['description'] === 'string' ? schema['description'] : ''
  return `<section id="schema-${name}">
<h3>${name}</h3>
${description === '' ? '' : paragraphs(description)}
${table(['member', 'type', 'meaning'], schemaRows(schema), `Members of ${name}`)}
</section>`
}

const navigation = (api: OpenApi): string => {
  const item = (href: string, text: string) => `<li><a href="#${href}">${asText(text)}</a></li>`
  const groups = api.tags.map(({ name }) => {
    const own = operationsOf(api).filter(({ operation }) => operation.tags.includes(name))
    const items = own.map(({ operation }) => item(operation.operationId, operation.summary))
    return `<h2>${asText(name)}</h2><ul>${items.join('')}</ul>`
  })
  const schemas = Object.keys(api.components.schemas).map((name) => item(`schema-${name}`, name))
  return `<nav aria-label="Contents">
<p><a href=".${API_PATHS.home}">Rollcall</a></p>
${groups.join('\n')}
<h2>Shapes</h2><ul>${schemas.join('')}</ul>
</nav>`
}

const machineLinks = ({ service: { urls } }: About): string =>
  [
    [urls.openapi, 'OpenAPI 3.1'],
    [urls.authMd, 'auth.md'],
    [urls.llms, 'llms.txt'],
    [urls.serverCard, 'MCP server card'],
    [urls.apiCatalog, 'API catalog'],
  ]
    .map(([url, text]) => `<a href="${asText(url ?? '')}">${text}</a>`)
    .join(' · ')

const write = (about: About): string => {
  const api = openApiOf(about)
  const groups = api.tags.map(({ name, description }) => {
    const own = operationsOf(api).filter(({ operation }) => operation.tags.includes(name))
    return `<h2>${asText(name)}</h2>
${paragraphs(description)}
${own.map((placed) => operationSection(api, placed)).join('\n')}`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${asText(api.info.title)} ${asText(api.info.version)}</title>
<meta name="description" content="${asText(String(api.info['summary']))}">
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
${navigation(api)}
<main id="content">
<h1>${asText(api.info.title)} ${asText(api.info.version)}</h1>
${paragraphs(api.info.description)}
<p>For machines: ${machineLinks(about)}</p>
${groups.join('\n')}
<h2>Shapes</h2>
${Object.entries(api.components.schemas).map(schemaSection).join('\n')}
</main>
</body>
</html>
`
}

export const docsPage: Document = {
  path: API_PATHS.docs,
  type: 'text/html; charset=utf-8',
  maxAgeSeconds: 300,
  headers: () => ({ 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' }),
  write,
}
