// The baseline of a server: node:http answers known paths with prepared bytes and headers.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { takeOrders } from './orders.ts'

export type ReadyAnswer = {
  path: string
  /** In the format of `rawHeaders`. */
  headers: string[]
  /** Base64. */
  body: string
}

const listen = async ({ answers, host }: { answers: ReadyAnswer[]; host: string }) => {
  const ready = new Map(
    answers.map(({ path, headers, body }) => [
      path,
      { headers, bytes: Buffer.from(body, 'base64') },
    ]),
  )
  const server = createServer((request, response) => {
    const found = ready.get(request.url ?? '')
    if (!found) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, found.headers)
    response.end(found.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${(server.address() as AddressInfo).port}` }
}

takeOrders({ listen })
