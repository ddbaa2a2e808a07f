// Forwards RPC calls to a node and lets a test replace any response, of any size.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

export type AlteredCall = { id: number; method: string; params: { height?: string } }

/** The parts of the response; `honest` is the response of the node. */
export type Alter = (call: AlteredCall, honest: string) => Iterable<string | Buffer>

const readText = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts).toString()
}

export const startAlteringProxy = async (nodeUrl: string, alter: Alter) => {
  const server = http.createServer(async (request, response) => {
    const body = await readText(request)
    const answer = await fetch(nodeUrl, { method: 'POST', body }).catch(() => undefined)
    // The node has ended before its proxy.
    if (!answer) return void response.destroy()
    const parts = alter(JSON.parse(body) as AlteredCall, await answer.text())
    response.writeHead(answer.status)
    Readable.from(parts, { objectMode: false })
      .on('error', () => {})
      .pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
