// Raw JSON-RPC and ABCI queries of a node with minimal decoding.
const REQUEST_TIMEOUT_MS = 60_000

class RpcError extends Error {
  override readonly name = 'RpcError'
}

type AbciResponse = { code: number; log: string; value: string | null }

export type RawRpc = {
  /** The text of `result`, to the byte as the node wrote it. */
  raw(method: string, params?: Record<string, unknown>): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, read where they are used
  call(method: string, params?: Record<string, unknown>): Promise<any>
  abciQuery(path: string, data: Uint8Array, height: number): Promise<AbciResponse>
  /** As `abciQuery`, but anything except code 0 is an error. */
  query(path: string, data: Uint8Array, height: number): Promise<Buffer>
}

const PREFIX = '{"jsonrpc":"2.0","id":1,"result":'

const FILE_DESCRIPTORS = '/cosmos.reflection.v1.ReflectionService/FileDescriptors'

/** The chain's own file descriptors, as its node reports them. */
export const readSchema = (rpc: RawRpc): Promise<Buffer> =>
  rpc.query(FILE_DESCRIPTORS, new Uint8Array(), 0)

export function createRawRpc(url: string): RawRpc {
  const raw: RawRpc['raw'] = async (method, params = {}) => {
    const ask = () =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      })
    // The node may close a kept connection while it is used again. Only a reading can be repeated.
    const response = await ask().catch((error: unknown) => {
      if (method.startsWith('broadcast')) throw error
      return ask()
    })
    const text = (await response.text()).trimEnd()
    if (!text.startsWith(PREFIX)) throw new RpcError(`${method}: ${text.slice(0, 500)}`)
    return text.slice(PREFIX.length, -1)
  }
  const call: RawRpc['call'] = async (method, params) => JSON.parse(await raw(method, params))
  const abciQuery: RawRpc['abciQuery'] = async (path, data, height) => {
    const params = { path, data: Buffer.from(data).toString('hex'), height: String(height) }
    return (await call('abci_query', params)).response
  }
  const query: RawRpc['query'] = async (path, data, height) => {
    const answer = await abciQuery(path, data, height)
    if (answer.code !== 0) throw new RpcError(`${path} at ${height}: ${answer.code} ${answer.log}`)
    return Buffer.from(answer.value ?? '', 'base64')
  }
  return { raw, call, abciQuery, query }
}
