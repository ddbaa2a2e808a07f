// The address of `npm run dev`: forwards requests to the sources, waits while they restart, and reloads the pages after that.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

const RELOAD_PATH = '/dev-reload'
const SCRIPT_PATH = '/dev-reload.js'
const SCRIPT = `new EventSource('${RELOAD_PATH}').addEventListener('reload', () => location.reload())\n`
const TAG = `<script src="${SCRIPT_PATH}"></script></head>`

/** The API alone has no agents and checks no tokens. */
const AGENT_PATHS = /^\/(?:agent|oauth2|delegation|\.well-known\/(?:oauth|openid|jwks))/

export type DevTargets = {
  /** Resolves with the port of the API once it listens; rejects with the reason if it does not run. */
  api(): Promise<number>
  /** The same for the machine, which has the agents. */
  machine(): Promise<number>
}

/** Code changes a page, but not its entity tag: nothing is stored. */
const toOwnHeaders = ({ headers }: IncomingMessage) => {
  const { 'if-none-match': _tag, 'accept-encoding': _encoding, ...rest } = headers
  return rest
}

const sendPage = async (answer: IncomingMessage, response: ServerResponse): Promise<void> => {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  const page = Buffer.concat(chunks).toString().replace('</head>', TAG)
  const { 'content-length': _length, etag: _etag, ...headers } = answer.headers
  response.writeHead(answer.statusCode ?? 200, { ...headers, 'cache-control': 'no-store' })
  response.end(page)
}

const isPage = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.startsWith('text/html') ?? false

const fail = (response: ServerResponse, reason: unknown): void => {
  if (response.headersSent) return void response.destroy()
  response.writeHead(503, { 'content-type': 'text/plain' }).end(`${reason}\n`)
}

const forward = (port: number, incoming: IncomingMessage, response: ServerResponse): void => {
  const { method, url } = incoming
  const options = { host: '127.0.0.1', port, method, path: url, headers: toOwnHeaders(incoming) }
  const outgoing = request(options, (answer) => {
    if (isPage(answer))
      return void sendPage(answer, response).catch((error) => fail(response, error))
    response.writeHead(answer.statusCode ?? 200, { ...answer.headers, 'cache-control': 'no-store' })
    answer.on('error', () => response.destroy()).pipe(response)
  })
  outgoing.on('error', (error) => fail(response, error.message))
  response.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

export const createDevProxy = (targets: DevTargets) => {
  const pages = new Set<ServerResponse>()
  const listen = (response: ServerResponse): void => {
    pages.add(response.writeHead(200, { 'content-type': 'text/event-stream' }))
    response.write(':\n\n')
    response.on('close', () => pages.delete(response))
  }
  const server = createServer((incoming, response) => {
    const { url = '', headers } = incoming
    if (url === RELOAD_PATH) return listen(response)
    if (url === SCRIPT_PATH) {
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(SCRIPT)
    }
    const isAgent = AGENT_PATHS.test(url) || headers.authorization !== undefined
    const port = isAgent ? targets.machine() : targets.api()
    port.then(
      (found) => forward(found, incoming, response),
      (reason) => fail(response, reason),
    )
  })
  const reload = () => {
    for (const page of pages) page.write('event: reload\ndata:\n\n')
  }
  return { server, reload }
}
