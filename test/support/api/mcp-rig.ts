// The MCP server over an API rig, called like clients of both protocol eras do: one message per POST.
import type { ApiConfig } from '../../../api/config.ts'
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import type { Answer } from '../http/inject.ts'
import { createApiRig } from './api-rig.ts'

const MCP_HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
}

const STATELESS = '2026-07-28'

/** The client data in every request of revision 2026-07-28. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': STATELESS,
  'io.modelcontextprotocol/clientInfo': { name: 'a-test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The encoding of the revision for text that a header field cannot carry. */
const headerValue = (text: string): string =>
  /^[!-~]*$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`

/** The header fields of a request of revision 2026-07-28: they repeat what its body says. */
export const statelessHeaders = (method: string, params: Params): Record<string, string> => {
  const name = params['name'] ?? params['uri']
  return {
    'mcp-protocol-version': STATELESS,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': headerValue(String(name)) }),
  }
}

type Params = Readonly<Record<string, unknown>>
type Post = { headers?: Record<string, string>; without?: readonly string[] }

export const createMcpRig = async (
  store: Store,
  changes: Partial<ApiConfig> = {},
  clock?: Clock,
) => {
  const rig = await createApiRig(store, changes, clock)
  /** The body as it is; `without` leaves header fields out. */
  const post = (payload: string, { headers = {}, without = [] }: Post = {}): Promise<Answer> => {
    const all = Object.entries({ ...MCP_HEADERS, ...headers })
    const kept = Object.fromEntries(all.filter(([name]) => !without.includes(name)))
    return rig.ask('/mcp', { method: 'POST', headers: kept, payload })
  }
  /** A request of revision 2026-07-28. */
  const postStateless = (method: string, params: Params = {}, { headers, ...rest }: Post = {}) => {
    const message = { jsonrpc: '2.0', id: 1, method, params: { _meta: ENVELOPE, ...params } }
    const all = { ...statelessHeaders(method, params), ...headers }
    return post(JSON.stringify(message), { headers: all, ...rest })
  }
  const rpc = async (method: string, params?: unknown) => {
    const answer = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    return answer.json()
  }
  const call = async (name: string, args?: unknown) => {
    const { result } = await rpc('tools/call', { name, arguments: args })
    return result
  }
  const get = async (url: string) => (await rig.ask(url)).text
  return { ...rig, post, postStateless, rpc, call, get }
}
