// The MCP server over an API rig, spoken to as a client speaks: one message per POST.
import type { ApiConfig } from '../../../api/config.ts'
import type { Store } from '../../../infra/clickhouse/client.ts'
import { type Answer, createApiRig } from './api-rig.ts'

const MCP_HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
}

type Post = { headers?: Record<string, string>; without?: readonly string[] }

export const createMcpRig = async (store: Store, changes: Partial<ApiConfig> = {}) => {
  const rig = await createApiRig(store, changes)
  /** The body as it is; `without` leaves header fields out. */
  const post = (payload: string, { headers = {}, without = [] }: Post = {}): Promise<Answer> => {
    const kept = Object.entries(MCP_HEADERS).filter(([name]) => !without.includes(name))
    const all = { ...Object.fromEntries(kept), ...headers }
    return rig.ask('/mcp', { method: 'POST', headers: all, payload })
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
  return { ...rig, post, rpc, call, get }
}
