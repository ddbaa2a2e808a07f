// How a gateway delivers granted answers: compressed, late, cut, empty, or as a small file that expands.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type HttpAnswer, sendAnswer } from '../rpc/server.ts'

export type DeliveryManners = {
  /** Compresses responses for clients that accept gzip. */
  compresses?: boolean
  /** Of this many granted requests, one loses its connection: in turn before and inside the response. */
  cutsOneOf?: number
  /** Of this many granted requests, one response is a small file that expands to 64 MiB. */
  expandsOneOf?: number
  /** Of this many granted requests, one response has status 200 and no body. */
  emptiesOneOf?: number
  /** Until the response to a granted request begins. */
  latencyMs?: number
}

export type Delivery = {
  isCut: boolean
  deliver(request: IncomingMessage, response: ServerResponse, answer: HttpAnswer): Promise<void>
}

const EXPANDED_BYTES = 64 * 2 ** 20

const acceptsGzip = ({ headers }: IncomingMessage): boolean =>
  /\bgzip\b/.test(`${headers['accept-encoding']}`)

const sendGzip = (response: ServerResponse, status: number, content: string | Buffer): void => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  response.writeHead(status, headers).end(gzipSync(content))
}

/** Before the first byte of the response, or in its middle. */
const cut = (response: ServerResponse, { text }: HttpAnswer, isBefore: boolean): void => {
  if (isBefore) return void response.destroy()
  response.writeHead(200, { 'content-length': Buffer.byteLength(text) })
  response.write(text.slice(0, text.length / 2), () => response.destroy())
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Call the result for each granted request. */
export const createDeliveries = (manners: DeliveryManners): (() => Delivery) => {
  const { compresses = false, latencyMs = 0 } = manners
  const { cutsOneOf, expandsOneOf, emptiesOneOf } = manners
  let granted = 0
  return () => {
    const position = ++granted
    const isOneOf = (count: number | undefined) => count !== undefined && position % count === 0
    const isCut = isOneOf(cutsOneOf)
    return {
      isCut,
      deliver: async (request, response, answer) => {
        if (isOneOf(emptiesOneOf)) return void response.writeHead(200).end()
        if (latencyMs > 0) await wait(latencyMs)
        if (isCut) return cut(response, answer, (position / cutsOneOf!) % 2 === 1)
        if (!acceptsGzip(request)) return sendAnswer(response, answer)
        if (isOneOf(expandsOneOf)) {
          return sendGzip(response, 200, Buffer.alloc(EXPANDED_BYTES, ' '))
        }
        if (compresses) return sendGzip(response, answer.status, answer.text)
        sendAnswer(response, answer)
      },
    }
  }
}
