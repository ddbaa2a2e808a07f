// A query of a module: from the bytes of a request to the bytes of its response, in the state of one height.
import { fromBech32 } from '@cosmjs/encoding'
import { readFields } from '../raw-message.ts'
import type { StateView } from '../state/state-view.ts'
import { refusePlainly } from './refusal.ts'

/** Throws `QueryRefusal`. */
export type Query<View = StateView> = (data: Uint8Array, state: View) => Uint8Array
export type Queries = Readonly<Record<string, Query>>

type RequestType<Request> = { decode(bytes: Uint8Array): Request }

/** The decoder of the chain reports no more than this of a truncated request. */
const refuseUnreadable = (error: unknown): never =>
  error instanceof RangeError
    ? refusePlainly('invalid', 'unexpected EOF')
    : refusePlainly('invalid', error instanceof Error ? error.message : String(error))

export function requireMessage(data: Uint8Array): void {
  try {
    readFields(data)
  } catch (error) {
    refuseUnreadable(error)
  }
}

function decodeRequest<Request>(type: RequestType<Request>, data: Uint8Array): Request {
  try {
    return type.decode(data)
  } catch (error) {
    return refuseUnreadable(error)
  }
}

export const createQuery =
  <Request>(
    type: RequestType<Request>,
    answer: (request: Request, state: StateView) => Uint8Array,
  ): Query =>
  (data, state) =>
    answer(decodeRequest(type, data), state)

export function parseAddress(text: string): Uint8Array {
  try {
    return fromBech32(text).data
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return refusePlainly('invalid', `decoding bech32 failed: ${reason}`)
  }
}
