// Tests of a rendered response: when it is compressed, and what needs no compression.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  createResponse,
  prepareReady,
  prepareResponse,
  toHeaders,
} from '../../../../../infra/base/http/response.ts'

const TEXT = Buffer.from(JSON.stringify(Array.from({ length: 500 }, (_, at) => ({ at }))))
const create = (bytes: Buffer = TEXT) =>
  createResponse(bytes, { mediaType: 'application/json', fields: [] })
const caching = (headers: Record<string, string>) => ({ cacheControl: 'no-cache', headers })

describe('a response', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is compressed as %s at its first use, and is ready then', async (coding, decode) => {
    const response = create()
    const accepted = caching({ 'accept-encoding': coding })
    expect(prepareReady(response, accepted)).toBeUndefined()
    const [one, other] = await Promise.all([
      prepareResponse(response, accepted),
      prepareResponse(response, accepted),
    ])
    expect(decode(one.bytes!)).toEqual(TEXT)
    expect(toHeaders(one.fields)['content-encoding']).toBe(coding)
    expect(toHeaders(one.fields)['content-length']).toBe(`${one.bytes!.length}`)
    expect(other.bytes).toBe(one.bytes)
    expect(prepareReady(response, accepted)?.bytes).toBe(one.bytes)
  })

  it('of a client that has it already is not compressed', async () => {
    const { fields } = await prepareResponse(create(), caching({ 'accept-encoding': 'br' }))
    const { etag } = toHeaders(fields)
    const known = caching({ 'accept-encoding': 'br', 'if-none-match': `${etag}` })
    const response = create()
    expect(prepareReady(response, known)?.status).toBe(304)
    expect(response.ready('br')).toBeUndefined()
  })

  it('is sent as it is if it is small, or if the client prefers that', () => {
    const small = create(Buffer.from('{}'))
    expect(prepareReady(small, caching({ 'accept-encoding': 'br' }))?.status).toBe(200)
    const refused = caching({ 'accept-encoding': 'identity;q=0, gzip' })
    expect(prepareReady(small, refused), 'it must be compressed').toBeUndefined()
    const plain = caching({ 'accept-encoding': 'identity, br;q=0.1' })
    expect(prepareReady(create(), plain)?.bytes).toBe(TEXT)
  })
})
