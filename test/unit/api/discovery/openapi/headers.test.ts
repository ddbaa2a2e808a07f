// Tests of the header fields in openapi.json: fields of row formats and fields of problems.
import { describe, expect, it } from 'vitest'
import { createOpenApi } from '../../../../../api/discovery/openapi/document.ts'
import type { Reference, ResponseObject } from '../../../../../api/discovery/openapi/types.ts'
import { FACT_FIELDS } from '../../../../../api/formats/media-types.ts'
import { LISTS } from '../../../../../api/resources/operations.ts'
import { aboutService } from '../../../../support/api/discovery.ts'

const { paths, components } = createOpenApi(aboutService())

const toInlineResponse = (response: ResponseObject | Reference | undefined): ResponseObject => {
  if (!response || '$ref' in response) throw new Error('the response is missing or a reference')
  return response
}

/** By name in lower case, as they are sent. */
const toHeaderDescriptions = (response: ResponseObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(response.headers ?? {}).map(([name, { $ref }]) => {
      const component = components.headers[$ref.split('/').at(-1) ?? '']
      return [name.toLowerCase(), component?.description ?? '']
    }),
  )

const problems = [
  ...Object.values(components.responses),
  ...Object.values(paths).flatMap(({ get }) => {
    const missing = get.responses['404']
    return missing ? [toInlineResponse(missing)] : []
  }),
]

describe('header fields in openapi.json', () => {
  it('that describe rows are listed for the operations that return rows, and for no other', () => {
    const ofRows = [...Object.values(FACT_FIELDS), 'link']
    for (const { get } of Object.values(paths)) {
      const hasRows = LISTS.some(({ operationId }) => operationId === get.operationId)
      for (const status of hasRows ? ['200', '304'] : ['200']) {
        const headers = toHeaderDescriptions(toInlineResponse(get.responses[status]))
        const there = ofRows.filter((name) => name in headers)
        expect([get.operationId, status, there]).toEqual([
          get.operationId,
          status,
          hasRows ? ofRows : [],
        ])
        for (const name of there) expect(headers[name]).toContain('with CSV and NDJSON')
      }
    }
  })

  it('forbid caching of problems, health and the stream', () => {
    const fresh = ['/api/health', '/api/stream'].map((path) =>
      toInlineResponse(paths[path]?.get.responses['200']),
    )
    for (const response of [...problems, ...fresh]) {
      expect(toHeaderDescriptions(response)['cache-control']).toContain('`no-store`')
    }
    const list = toInlineResponse(paths['/api/proposals']?.get.responses['200'])
    expect(toHeaderDescriptions(list)['cache-control']).not.toContain('`no-store`')
  })

  it('include Retry-After for 429 and 503', () => {
    const waiting = Object.entries(components.responses)
      .filter(([, response]) => 'retry-after' in toHeaderDescriptions(response))
      .map(([name]) => name)
    expect(waiting).toEqual(['Problem429', 'Problem503'])
  })
})
