// The header names that web pages of other origins may read and send, and which origins may.
import { expect, it } from 'vitest'
import { READ_CORS } from '../../../../../api/http/headers.ts'
import { allowEveryOrigin, allowOrigins } from '../../../../../infra/base/http/headers.ts'

it('the read API exposes the header fields of its pages, and allows those that a stream sends', () => {
  expect(READ_CORS.createHeaders({})).toEqual({
    'access-control-allow-origin': '*',
    'access-control-expose-headers':
      'Accept-Ranges, Content-Disposition, Content-Range, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Rollcall-As-Of-Height, Rollcall-As-Of-Time, Rollcall-Chain-Id, Rollcall-Demo, Rollcall-Next-Cursor, Rollcall-Total-Items, WWW-Authenticate, X-Request-Id',
  })
  expect(READ_CORS.createPreflight('GET, HEAD, OPTIONS')).toEqual({
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers':
      'Accept, Authorization, Content-Type, If-None-Match, If-Range, Last-Event-ID, MCP-Protocol-Version, Range',
    'access-control-max-age': '86400',
  })
})

it('names are added to those that every service shares, in alphabetical order', () => {
  const policy = allowEveryOrigin({ exposed: ['ETag'], allowed: ['If-None-Match'] })
  expect(policy.createHeaders({})['access-control-expose-headers']).toBe(
    'ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id',
  )
  expect(policy.createPreflight('POST')['access-control-allow-headers']).toBe(
    'Accept, Authorization, Content-Type, If-None-Match, MCP-Protocol-Version',
  )
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
