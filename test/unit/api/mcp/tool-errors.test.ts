// Tests of the error texts of tools: one full stop, and a description of valid arguments.
import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../../../api/mcp/arguments.ts'
import type { McpSources } from '../../../../api/mcp/sources.ts'
import { createToolFailure } from '../../../../api/mcp/tool-results.ts'
import { TOOLS, type Tool } from '../../../../api/mcp/tools.ts'
import { ApiProblem } from '../../../../api/problem.ts'

const findTool = (name: Tool['name']): Tool => {
  const found = TOOLS.find((tool) => tool.name === name)
  if (!found) throw new Error(`no tool ${name}`)
  return found
}

const toErrorText = (tool: Tool, problem: ApiProblem, given: object = {}): string => {
  const sources = {
    proposalIds: () => ['45'],
    health: () => ({ catchUp: null, noBlockSince: null }),
  } as unknown as McpSources
  return createToolFailure(problem, { name: tool.name, given, sources }).content[0]?.text ?? ''
}

const readArgumentError = (name: Tool['name'], given: unknown): string => {
  const tool = findTool(name)
  try {
    parseArguments(tool, given)
  } catch (error) {
    if (error instanceof ApiProblem) return toErrorText(tool, error)
    throw error
  }
  throw new Error('no error')
}

describe('the error text of a tool', () => {
  it('ends with one full stop, whether the problem has one or not', () => {
    const tool = findTool('get_proposal')
    const missing = new ApiProblem('proposal-not-found', 'This chain has no proposal 999.')
    expect(toErrorText(tool, missing)).toBe(
      'Proposal not found: This chain has no proposal 999. The newest proposal is 45; list_proposals lists all of them.',
    )
    expect(readArgumentError('get_proposal', {})).toBe(
      'Invalid parameter: proposalId is required. Correct the arguments of get_proposal and call it again.',
    )
    expect(readArgumentError('list_proposals', { status: 'open' })).not.toMatch(/[.…]\./)
  })

  it('names five of many mistakes, cut, and reads no more arguments than tools have', () => {
    const wrong = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${'a'.repeat(900)}${n}`, 0]))
    const few = readArgumentError('list_proposals', wrong(50))
    expect(few.match(/a{64} is not/g)).toHaveLength(5)
    expect(few.length).toBeLessThan(3_000)
    expect(readArgumentError('list_proposals', wrong(51))).toContain(
      'arguments must have at most 50 members',
    )
  })

  it('advises to omit an argument only if it was given', () => {
    const problem = new ApiProblem('proof-not-found', 'There is no proof.')
    const tool = findTool('get_proposal_proof')
    expect(toErrorText(tool, problem, { proposalId: '12' })).toBe(
      'Proof not found: There is no proof.',
    )
    expect(toErrorText(tool, problem, { proposalId: '12', round: 0 })).toContain('Omit round')
  })

  it('asks for a string only if the argument is none', () => {
    expect(readArgumentError('get_proposal', { proposalId: 4.5 })).toContain(
      'proposalId must be a string: 1 to 20 digits, e.g. 937.',
    )
    expect(readArgumentError('get_proposal', { proposalId: 'x' })).toContain(
      'proposalId must be 1 to 20 digits, e.g. 937.',
    )
    expect(readArgumentError('list_proposals', { status: 'open' })).toContain(
      'status must be any of deposit_period,',
    )
    expect(readArgumentError('list_pool_votes', { operatorAddress: 'a'.repeat(129) })).toContain(
      'operatorAddress must be the name, operator address or account of a pool, at most 128 characters',
    )
  })

  it('gives the range of a limit, which is the page size of the read API', () => {
    for (const limit of [0, 21, 1.5, 'many']) {
      expect(readArgumentError('list_proposals', { limit })).toContain(
        'limit must be an integer from 1 to 20: the maximum number of rows.',
      )
    }
  })

  it('gives the range of a page number', () => {
    for (const page of [-1, 1.5, 2 ** 31, '1.5', '-1', '99999999999', true]) {
      expect(readArgumentError('list_proposals', { page })).toContain(
        'page must be an integer from 0 to 2147483647; pages start at 0.',
      )
    }
  })
})

describe('the arguments of a tool', () => {
  it('may be numbers as text, digits as numbers, and null or an empty text instead of absent', () => {
    const votes = findTool('list_proposal_votes')
    expect(parseArguments(votes, { proposalId: 45, page: '2', cursor: null, sort: '' })).toEqual({
      params: { proposalId: '45' },
      query: { page: '2' },
    })
    const nothing = { page: null, cursor: '', status: null, proposer: '', messageType: null, q: '' }
    expect(parseArguments(findTool('list_proposals'), nothing)).toEqual({ params: {}, query: {} })
    expect(parseArguments(findTool('list_proposals'), { q: 937 }).query).toEqual({ q: '937' })
    for (const none of [undefined, null, [], {}]) {
      const parsed = parseArguments(findTool('list_proposals'), none)
      expect(parsed).toEqual({ params: {}, query: {} })
    }
  })

  it('may be a declared default instead of absent, so that a cursor can be sent with all members', () => {
    const votes = findTool('list_proposal_votes')
    const given = { proposalId: '45', page: 0, cursor: 'abc', round: null, sort: 'rank' }
    const query = { cursor: 'abc' }
    expect(parseArguments(votes, given)).toEqual({ params: { proposalId: '45' }, query })
    expect(parseArguments(votes, { ...given, page: '0' }).query).toEqual(query)
    expect(parseArguments(votes, { ...given, page: 1 }).query).toEqual({ ...query, page: '1' })
  })

  it('may be an array where several values are possible', () => {
    const list = findTool('list_proposals')
    expect(parseArguments(list, { status: ['passed', 'failed'] }).query).toEqual({
      status: 'passed,failed',
    })
    expect(parseArguments(list, { status: [] }).query).toEqual({})
    for (const given of [{ status: ['open'] }, { status: [7] }, { q: ['a', 'b'] }]) {
      expect(readArgumentError('list_proposals', given)).toContain('must be')
    }
  })

  it('are refused if a number has lost digits, or a required one is null', () => {
    for (const proposalId of [1.5, -1, 2 ** 53 + 2, 1e21, null, '']) {
      expect(readArgumentError('get_proposal', { proposalId })).toContain('1 to 20 digits')
    }
    expect(readArgumentError('get_proposal', { other: null })).toContain('other is not an argument')
  })
})
