// Describes queries of modules that only some chains have, by the numbers of their fields.
import { BinaryWriter } from 'cosmjs-types/binary'
import { PageRequest, PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import type { Method } from '../chain/query.ts'
import { decodeText } from '../schema/text.ts'
import { lastBytes, readFields, type WireField } from '../schema/wire.ts'

/** Texts of a request by field number. */
type Texts = Readonly<Record<number, string>>
type Request = { texts: Texts; pagination?: PageRequest }

/** `pagination`: the field numbers of the page in request and response, for a list. */
export const createMethod = <Response>(
  path: string,
  { decode, page = 0 }: { decode: (fields: WireField[]) => Response; page?: number },
): Method<Request, Response> => ({
  path,
  request: {
    fromPartial: (partial) => partial as Request,
    encode: ({ texts, pagination }) => {
      const writer = new BinaryWriter()
      for (const [no, text] of Object.entries(texts))
        writer.uint32((Number(no) << 3) | 2).string(text)
      if (pagination) writer.uint32((page << 3) | 2).bytes(PageRequest.encode(pagination).finish())
      return writer
    },
    decode: () => ({ texts: {} }),
  },
  response: { decode: (bytes) => decode(readFields(bytes)) },
})

export const readText = (fields: readonly WireField[], no: number): string =>
  decodeText(lastBytes(fields, no) ?? new Uint8Array())

/** The fields of each entry of a list. */
export const readEntries = (fields: readonly WireField[], no: number): WireField[][] =>
  fields.flatMap((field) =>
    field.no === no && field.value instanceof Uint8Array ? [readFields(field.value)] : [],
  )

export const readPage = (fields: readonly WireField[], no: number): PageResponse =>
  PageResponse.decode(lastBytes(fields, no) ?? new Uint8Array())
