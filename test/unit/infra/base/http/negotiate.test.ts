// Tests of the negotiation of media types and codings: qualities, wildcards and specificity of RFC 9110.
import { describe, expect, it } from 'vitest'
import {
  acceptsIdentity,
  chooseCoding,
  createNegotiation,
  prefersOther,
} from '../../../../../infra/base/http/negotiate.ts'

const PAGE = ['text/html', 'text/markdown'] as const
const LIST = ['application/json', 'application/x-ndjson', 'text/csv'] as const

describe('the media type of an HTML page', () => {
  const negotiate = createNegotiation(PAGE)
  it.each([
    [undefined, 'text/html'],
    ['', 'text/html'],
    ['*/*', 'text/html'],
    ['text/markdown', 'text/markdown'],
    ['TEXT/Markdown; charset=utf-8', 'text/markdown'],
    ['text/markdown, text/html, */*', 'text/markdown'],
    ['text/html, text/markdown', 'text/html'],
    ['text/markdown;q=0.9, text/html;q=0.8', 'text/markdown'],
    ['text/markdown;q=0.5, text/html;q=0.8', 'text/html'],
    ['*/*, text/markdown', 'text/markdown'],
    ['text/*;q=0.3, text/markdown;q=0.2', 'text/html'],
    ['text/html;q=0, */*;q=0.1', 'text/markdown'],
    ['text/html;q=0.000, text/markdown;q=0', undefined],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['application/pdf', undefined],
    ['text', undefined],
    [', ;q=1, /, text/*x', undefined],
    ['text/markdown;q=nonsense, text/html;q=0.001', 'text/html'],
    ['text/markdown;q=7, text/html;q=1', 'text/markdown'],
  ])('%s gets %s', (accept, expected) => {
    expect(negotiate(accept)).toBe(expected)
    expect(negotiate(accept), 'the same when asked again').toBe(expected)
  })
})

describe('the media type of a list', () => {
  const negotiate = createNegotiation(LIST)
  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['text/*', 'text/csv'],
    ['text/csv;header=present', 'text/csv'],
    ['application/x-ndjson, */*;q=0.1', 'application/x-ndjson'],
    ['application/json;q=0.1, text/csv;q=0.2', 'text/csv'],
    ['text/html', undefined],
  ])('%s gets %s', (accept, expected) => {
    expect(negotiate(accept)).toBe(expected)
  })

  it('caches a bounded number of values, and stays correct beyond that limit', () => {
    for (let n = 0; n < 3_000; n++) expect(negotiate(`text/csv;x=${n}`)).toBe('text/csv')
    expect(negotiate('*/*')).toBe('application/json')
  })
})

const types = {
  usual: 'application/json; charset=utf-8',
  other: 'application/openapi+json;version=3.1',
}

describe('the alternative media type', () => {
  it.each([
    ['application/openapi+json', true],
    ['application/openapi+json;version=3.1, application/json;q=0.9', true],
    ['application/json, application/openapi+json;q=0.5', false],
    ['application/json, application/openapi+json', true],
    ['application/json;q=0.5, */*, application/OpenAPI+json;q=0.5', true],
    ['application/openapi+json;q=0', false],
    ['*/*', false],
    ['application/json', false],
    ['', false],
    [undefined, false],
  ])('for %s: %s', (accept, isOther) => {
    expect(prefersOther(accept, types)).toBe(isOther)
  })
})

describe('the coding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;Q=0.5', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=nonsense', 'identity'],
    ['zstd', 'identity'],
    ['identity;q=1, br;q=0.1', 'identity'],
    ['identity, *;q=0.5', 'identity'],
    ['br;q=0.5, identity, gzip', 'gzip'],
    ['identity, br', 'br'],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity;q=0, br', 'br'],
    ['*;q=0, gzip', 'gzip'],
    ['*;q=0', 'identity'],
  ])('for %j is %s', (header, coding) => {
    expect(chooseCoding(header)).toBe(coding)
  })
})

describe('the plain body', () => {
  it.each([
    [undefined, true],
    ['gzip', true],
    ['gzip;q=0', true],
    ['identity;q=0.1, gzip', true],
    ['*;q=0, identity;q=0.5', true],
    ['identity;q=0, gzip', false],
    ['*;q=0, gzip', false],
  ])('is acceptable for %j: %s', (header, isAcceptable) => {
    expect(acceptsIdentity(header)).toBe(isAcceptable)
  })
})
