// Says of a first answer that it is the one of another port of a node.
import type { AppError } from '../../../infra/base/runtime/errors.ts'

/** Two clauses: what answers at the address, and what to do. */
export type AddressExplanation = { what: string; remedy: string }

const remedy = 'use the RPC port of the same node, usually 26657'
const GRPC = { what: 'this is the gRPC port of a node, usually 9090', remedy }
const REST = { what: 'this is the REST API of a node, usually port 1317', remedy }

/** `{"code":12,"message":"Not Implemented","details":[]}`: every path that is no method of the gateway. */
const REST_ANSWER = /^HTTP status (?:404|501): \{"code": ?(?:5|12), ?"message"/

/** An HTTP/2 frame of type SETTINGS on the stream 0, the first one of every server. */
const isHttp2 = (bytes: Buffer): boolean =>
  bytes.length >= 9 && bytes[3] === 4 && bytes.readUInt32BE(5) === 0

/** Undefined if nothing shows another port. */
export function explainAddress({ message, cause }: AppError): AddressExplanation | undefined {
  const { rawPacket } = (cause ?? {}) as { rawPacket?: unknown }
  if (rawPacket instanceof Buffer && isHttp2(rawPacket)) return GRPC
  return REST_ANSWER.test(message) ? REST : undefined
}
