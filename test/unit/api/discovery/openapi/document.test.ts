// The description of the API: every operation by its name, with real examples that are what it says answers are.
import { describe, expect, it } from 'vitest'
import { createOpenApi } from '../../../../../api/discovery/openapi/document.ts'
import type { OperationObject } from '../../../../../api/discovery/openapi/types.ts'
import { aboutService, createChecker } from '../../../../support/api/discovery.ts'

const api = createOpenApi(aboutService())
const operations: OperationObject[] = Object.values(api.paths).map(({ get }) => get)
const checker = createChecker(api.components.schemas)

/** Those of the specification, then what goes beyond it. */
const OPERATION_IDS = {
  '/api/health': 'getHealth',
  '/api/proposals': 'listProposals',
  '/api/proposals/{proposalId}': 'getProposal',
  '/api/proposals/{proposalId}/messages/{message}/bytes': 'getMessageBytes',
  '/api/proposals/{proposalId}/deposits': 'listProposalDeposits',
  '/api/proposals/{proposalId}/votes': 'listProposalVotes',
  '/api/proposals/{proposalId}/ballots': 'listProposalBallots',
  '/api/proposals/{proposalId}/events': 'listProposalEvents',
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
  it('is OpenAPI 3.1.0 of version 1.0.0, with every operation under its name', () => {
    expect([api.openapi, api.info.version]).toEqual(['3.1.0', '1.0.0'])
    const ids = Object.entries(api.paths).map(([path, { get }]) => [path, get.operationId])
    expect(Object.fromEntries(ids)).toEqual(OPERATION_IDS)
  })

  it('has the parameters as the specification has them', () => {
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

  it('describes bytes as a file whose path must be given', () => {
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
      .filter(({ operationId }) => operationId !== 'getMessageBytes')
      .map((operation) => [operation.operationId, operation] as const),
  )('%s shows a real answer that fits its schema', (id, operation) => {
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

  it('tells every problem as problem+json, with an example that is one', () => {
    const shared = Object.entries(api.components.responses)
    const missing = operations
      .map(({ responses }) => responses['404'])
      .filter((each) => each !== undefined)
    expect(missing.length).toBeGreaterThan(5)
    expect(shared.map(([name]) => name)).toEqual(
      ['400', '401', '406', '410', '414', '429', '500', '503'].map((status) => `Problem${status}`),
    )
    for (const response of [...shared.map(([, each]) => each), ...missing]) {
      if ('$ref' in response) throw new Error('told in place')
      const { examples = {} } = response.content?.['application/problem+json'] ?? {}
      expect(Object.keys(examples).length).toBeGreaterThan(0)
      for (const { value } of Object.values(examples)) {
        expect(checker.mistakesAgainst('Problem', value)).toEqual([])
      }
    }
  })

  it('tells 401, 429, 500 and 503 of every operation, 410 wherever a cursor is followed', () => {
    for (const { responses, parameters } of operations) {
      const statuses = Object.keys(responses)
      expect(statuses).toEqual(expect.arrayContaining(['401', '429', '500', '503']))
      const hasCursor = parameters.some(({ name }) => name === 'cursor')
      expect(statuses.includes('410')).toBe(hasCursor)
    }
  })

  it('needs no token, and takes one where there are any', () => {
    for (const { security } of operations) expect(security[0]).toEqual({})
    const without = createOpenApi(aboutService({ issuesTokens: false }))
    expect(JSON.stringify(without)).not.toContain('bearerAuth')
  })

  it('leaves lists and health open to more members', () => {
    for (const [name, schema] of Object.entries(api.components.schemas)) {
      if (/Page$|^Health$/.test(name) && schema['properties']) {
        expect([name, schema['additionalProperties']]).toEqual([name, true])
      }
    }
  })

  it('refers to nothing that is not there', () => {
    const text = JSON.stringify(api)
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)]
    expect(references.length).toBeGreaterThan(100)
    for (const [, kind, name] of references) {
      const components = api.components as Record<string, Record<string, unknown>>
      expect(components[kind ?? '']).toHaveProperty([name ?? ''])
    }
  })
})
