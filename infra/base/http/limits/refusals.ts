// Requests that no route may receive: ambiguous ones, and targets that are too long. Pure.
import type { IncomingMessage } from 'node:http'
import { HttpError } from '../errors.ts'

const MAX_TARGET_BYTES = 4_096

/** Later bytes on this connection may belong to the ambiguous request. */
const CLOSING = { connection: 'close' } as const

/** Why a request is ambiguous (RFC 9112, 3.2 and 6.1), which Node does not refuse; undefined if it is not. */
export const findAmbiguity = ({ rawHeaders, headers }: IncomingMessage): string | undefined => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) return 'The request must have one Host field.'
  const coding = headers['transfer-encoding']
  if (coding === undefined || coding.trim().toLowerCase() === 'chunked') return undefined
  return 'The only supported transfer coding is chunked.'
}

export const findRefusal = (request: IncomingMessage): HttpError | undefined => {
  if ((request.url ?? '').length > MAX_TARGET_BYTES) {
    return new HttpError('uriTooLong', `The URL has more than ${MAX_TARGET_BYTES} bytes.`)
  }
  const ambiguity = findAmbiguity(request)
  return ambiguity === undefined ? undefined : new HttpError('malformed', ambiguity, CLOSING)
}
