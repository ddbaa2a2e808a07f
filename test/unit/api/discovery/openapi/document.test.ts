// Tests of openapi.json: every operation is present, and each example is a real response.
import { describe, expect, it } from 'vitest'
import { createOpenApi } from '../../../../../api/discovery/openapi/document.ts'
import type { OperationObject } from '../../../../../api/discovery/openapi/types.ts'
import { LISTS } from '../../../../../api/resources/operations.ts'
import { toPathTemplate } from '../../../../../api/resources/path-parameters.ts'
import { aboutService, createChecker } from '../../../../support/api/discovery.ts'

const api = createOpenApi(aboutService())
const operations: OperationObject[] = Object.values(api.paths).map(({ get }) => get)
const checker = createChecker(api.components.schemas)

/** Clients have these names. A new operation has any name. */
const OPERATION_IDS = {
  '/api/health': 'getHealth',
  '/api/proposals': 'listProposals',
  '/api/proposals/{proposalId}': 'getProposal',
  '/api/proposals/{proposalId}/messages': 'listProposalMessages',
  '/api/proposals/{proposalId}/messages/{message}/bytes': 'getMessageBytes',
  '/api/proposals/{proposalId}/deposits': 'listProposalDeposits',
  '/api/proposals/{proposalId}/votes': 'listProposalVotes',
  '/api/proposals/{proposalId}/turnout': 'listProposalTurnout',
  '/api/proposals/{proposalId}/ballots': 'listProposalBallots',
  '/api/proposals/{proposalId}/events': 'listProposalEvents',
  '/api/proposals/{proposalId}/events/{height}/{index}': 'getProposalEvent',
  '/api/proposals/{proposalId}/evidence': 'listProposalEvidence',
  '/api/pools': 'listPools',
  '/api/pools/{operatorAddress}/votes': 'listPoolVotes',
  '/api/voters/{address}/votes': 'listVoterVotes',
  '/api/proposals/{proposalId}/proof': 'getProposalProof',
  '/api/light-blocks': 'listLightBlocks',
  '/api/light-blocks/{height}': 'getLightBlock',
  '/api/validators/{hash}': 'getValidators',
  '/api/stream': 'streamChanges',
}

const found = ({ responses }: OperationObject) => {
  const response = responses['200']
  if (!response || '$ref' in response) throw new Error('no 200')
  return response
}

describe('openapi.json', () => {
  it('is OpenAPI 3.1.0 with API version 1.0.0, and every operation keeps its ID', () => {
    expect([api.openapi, api.info.version]).toEqual(['3.1.0', '1.0.0'])
    const ids = Object.entries(api.paths).map(([path, { get }]) => [path, get.operationId])
    expect(Object.fromEntries(ids)).toMatchObject(OPERATION_IDS)
    expect(ids).toHaveLength(new Set(ids.map(([, id]) => id)).size)
  })

  it('has the parameters of the specification', () => {
    const findParameters = (path: string) => api.paths[path]?.get.parameters ?? []
    expect(findParameters('/api/proposals')).toContainEqual(
      expect.objectContaining({
        name: 'page',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1, default: 0 },
      }),
    )
    expect(findParameters('/api/proposals/{proposalId}/votes')).toContainEqual(
      expect.objectContaining({
        name: 'proposalId',
        in: 'path',
        required: true,
        schema: { type: 'string', pattern: '^[0-9]+$' },
      }),
    )
  })

  it('describes a list parameter as repeated, and the formats of a list by a parameter', () => {
    const findParameter = (path: string, name: string) =>
      api.paths[path]?.get.parameters.find((each) => each.name === name)
    expect(findParameter('/api/proposals', 'status')).toMatchObject({
      style: 'form',
      explode: true,
      schema: { type: 'array' },
    })
    const formats = LISTS.map(({ operationId, path, columns }) => {
      const { schema } = findParameter(toPathTemplate(path), 'format') ?? {}
      return [operationId, schema?.['enum'], columns === null]
    })
    expect(formats).toEqual(
      LISTS.map(({ operationId, columns }) => [
        operationId,
        columns === null ? ['json', 'ndjson'] : ['json', 'ndjson', 'csv'],
        ['listProposalEvidence', 'listVotesOfPools'].includes(operationId),
      ]),
    )
    const others = operations.filter(({ operationId }) =>
      LISTS.every((list) => list.operationId !== operationId),
    )
    expect(others.length).toBeGreaterThan(5)
    for (const { parameters } of others) {
      expect(parameters.map(({ name }) => name)).not.toContain('format')
    }
  })

  it('has one media type for each answer: generated clients cannot tell several apart', () => {
    for (const operation of operations) {
      expect([operation.operationId, Object.keys(found(operation).content ?? {})]).toEqual([
        operation.operationId,
        [expect.any(String)],
      ])
    }
  })

  it('describes the bytes of a field as a file, and requires its path', () => {
    const operation = operations.find(({ operationId }) => operationId === 'getMessageBytes')
    if (!operation) throw new Error('no operation for bytes')
    expect(Object.keys(found(operation).content ?? {})).toEqual(['application/octet-stream'])
    expect(found(operation).headers).toHaveProperty('Content-Disposition')
    expect(operation.parameters.map(({ name, required }) => [name, required])).toEqual([
      ['proposalId', true],
      ['message', true],
      ['path', true],
    ])
  })

  it.each(
    operations
      .filter(
        ({ operationId }) => !['getMessageBytes', 'getGovernanceMetrics'].includes(operationId),
      )
      .map((operation) => [operation.operationId, operation] as const),
  )('%s has a real response that fits its schema as example', (id, operation) => {
    const json = found(operation).content?.['application/json']
    if (id === 'streamChanges') {
      expect(Object.keys(found(operation).content ?? {})).toEqual(['text/event-stream'])
      return
    }
    const { $ref = '' } = (json?.schema ?? {}) as { $ref?: string }
    const name = $ref.split('/').at(-1) ?? ''
    expect(json?.example).toBeTypeOf('object')
    expect(checker.mistakesAgainst(name, json?.example)).toEqual([])
    expect(checker.mistakesAgainst(name, { items: 1 })).not.toEqual([])
  })

  it('describes every problem as problem+json, with a valid example', () => {
    const shared = Object.entries(api.components.responses)
    const missing = operations
      .map(({ responses }) => responses['404'])
      .filter((each) => each !== undefined)
    expect(missing.length).toBeGreaterThan(5)
    expect(shared.map(([name]) => name)).toEqual(
      ['400', '401', '406', '410', '414', '429', '500', '503'].map((status) => `Problem${status}`),
    )
    for (const response of [...shared.map(([, each]) => each), ...missing]) {
      if ('$ref' in response) throw new Error('unexpected reference')
      const { examples = {} } = response.content?.['application/problem+json'] ?? {}
      expect(Object.keys(examples).length).toBeGreaterThan(0)
      for (const { value } of Object.values(examples)) {
        expect(checker.mistakesAgainst('Problem', value)).toEqual([])
      }
    }
  })

  it('lists 401, 429, 500 and 503 for every operation, and 410 for every operation with a cursor', () => {
    for (const { responses, parameters } of operations) {
      const statuses = Object.keys(responses)
      expect(statuses).toEqual(expect.arrayContaining(['401', '429', '500', '503']))
      const hasCursor = parameters.some(({ name }) => name === 'cursor')
      expect(statuses.includes('410')).toBe(hasCursor)
    }
  })

  it('requires no token, and accepts one if the service issues tokens', () => {
    for (const { security } of operations) expect(security[0]).toEqual({})
    const without = createOpenApi(aboutService({ issuesTokens: false }))
    expect(JSON.stringify(without)).not.toContain('bearerAuth')
  })

  it('allows additional members in lists and health', () => {
    for (const [name, schema] of Object.entries(api.components.schemas)) {
      if (/Page$|^Health$/.test(name) && schema['properties']) {
        expect([name, schema['additionalProperties']]).toEqual([name, true])
      }
    }
  })

  it('has no broken references', () => {
    const text = JSON.stringify(api)
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)]
    expect(references.length).toBeGreaterThan(100)
    for (const [, kind, name] of references) {
      const components = api.components as Record<string, Record<string, unknown>>
      expect(components[kind ?? '']).toHaveProperty([name ?? ''])
    }
  })
})
