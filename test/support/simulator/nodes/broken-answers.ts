// The faults of a node whose answers are none: damaged, of another request, or never complete.
import type { ServerResponse } from 'node:http'
import { type HttpAnswer, sendAnswer } from '../rpc/server.ts'
import type { FaultName, Strike } from './faults.ts'

const OVERSIZED_BYTES = 4 * 2 ** 20

const breakText = (answer: HttpAnswer, fault: FaultName | undefined): HttpAnswer => {
  const { text } = answer
  switch (fault) {
    case 'HTTP 500':
      return { status: 500, text: 'Internal Server Error', type: 'text/plain' }
    case 'HTML answer':
      return { status: 200, text: '<html><body>Just a moment…</body></html>', type: 'text/html' }
    case 'answer of another ID':
      return { ...answer, text: text.replace(/"id":\d+/, '"id":987654321') }
    case 'invalid JSON':
      return { ...answer, text: text.slice(0, text.length / 2) }
    case 'oversized body':
      return { ...answer, text: text + ' '.repeat(OVERSIZED_BYTES) }
    default:
      return answer
  }
}

/** Sends the answer with the fault that breaks it, if any. */
export const sendBroken = (
  response: ServerResponse,
  answer: HttpAnswer,
  strikes: readonly Strike[],
): void => {
  const names = new Set(strikes.map(({ name }) => name))
  if (names.has('hang')) return
  if (names.has('drops the socket')) response.destroy()
  else if (names.has('truncated body')) {
    response.writeHead(200, { 'content-length': Buffer.byteLength(answer.text) })
    response.write(answer.text.slice(0, answer.text.length / 2), () => response.destroy())
  } else sendAnswer(response, [...names].reduce(breakText, answer))
}
