// The header names that web pages of other origins may send, and which origins may.
import { expect, it } from 'vitest'
import { READ_CORS } from '../../../../../api/http/headers.ts'
import { allowOrigins } from '../../../../../infra/base/http/headers.ts'

it('the read API exposes all header fields, and allows those that a stream sends', () => {
  expect(READ_CORS.createHeaders({})).toEqual({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': '*',
  })
  expect(READ_CORS.createPreflight('GET, HEAD, OPTIONS')).toEqual({
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers':
      'Accept, Authorization, Content-Type, If-None-Match, If-Range, Last-Event-ID, MCP-Protocol-Version, Range',
    'access-control-max-age': '86400',
  })
})

it('only an allowed origin is named, and only in the response to it', () => {
  const policy = allowOrigins(({ origin }) => origin === 'https://a.example', {})
  const read = (origin?: string) =>
    policy.createHeaders(origin === undefined ? {} : { origin })['access-control-allow-origin']
  expect([read('https://a.example'), read('https://b.example'), read()]).toEqual([
    'https://a.example',
    undefined,
    undefined,
  ])
})
