// Tests of a rendered response: when it is compressed, and what needs no compression.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  createReadyResponses,
  createResponse,
  prepareResponse,
  type Response,
  toHeaders,
} from '../../../../../infra/base/http/response.ts'

const TEXT = Buffer.from(JSON.stringify(Array.from({ length: 500 }, (_, at) => ({ at }))))
const PLAIN = Buffer.from('{}')
const create = (bytes: Buffer = TEXT) =>
  createResponse(bytes, { mediaType: 'application/json', fields: [] })
const ready = (response: Response, acceptEncoding: string) =>
  createReadyResponses(response, 'no-cache', ['x-more', 'of all'])(acceptEncoding)
const caching = (headers: Record<string, string>) => ({ cacheControl: 'no-cache', headers })

describe('a response', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is compressed as %s at its first use, and is ready then', async (coding, decode) => {
    const response = create()
    const accepted = caching({ 'accept-encoding': coding })
    expect(ready(response, coding)).toBeUndefined()
    const [one, other] = await Promise.all([
      prepareResponse(response, accepted),
      prepareResponse(response, accepted),
    ])
    expect(decode(one.bytes!)).toEqual(TEXT)
    expect(toHeaders(one.fields)['content-encoding']).toBe(coding)
    expect(toHeaders(one.fields)['content-length']).toBe(`${one.bytes!.length}`)
    expect(other.bytes).toBe(one.bytes)
    expect(ready(response, coding)?.bytes).toBe(one.bytes)
    expect(ready(response, coding)?.found).toEqual(['x-more', 'of all', ...one.fields])
  })

  it('of a client that has it already is not compressed', async () => {
    const { fields } = await prepareResponse(create(), caching({ 'accept-encoding': 'br' }))
    const { etag } = toHeaders(fields)
    const known = caching({ 'accept-encoding': 'br', 'if-none-match': `${etag}` })
    const response = create()
    expect((await prepareResponse(response, known)).status).toBe(304)
    expect(response.ready('br')).toBeUndefined()
  })

  it('is sent as it is if it is small, or if the client prefers that', () => {
    const small = create(PLAIN)
    expect(ready(small, 'br')?.bytes).toBe(PLAIN)
    expect(ready(small, 'identity;q=0, gzip'), 'it must be compressed').toBeUndefined()
    expect(ready(create(), 'identity, br;q=0.1')?.bytes).toBe(TEXT)
  })
})
