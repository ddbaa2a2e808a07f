// Tests of query parameters: accepted values, refused values and error texts.
import { describe, expect, it } from 'vitest'
import { ApiProblem } from '../../../../api/problem.ts'
import { parseQuery } from '../../../../api/resources/parameters.ts'
import { parseProposalId } from '../../../../api/resources/path-parameters.ts'

const collectErrors = (read: () => unknown) => {
  try {
    read()
  } catch (error) {
    if (error instanceof ApiProblem) return { code: error.code, errors: error.errors }
  }
  return undefined
}

describe('a query', () => {
  it('is accepted if every parameter is valid', () => {
    const query = { page: '3', status: 'passed,failed', q: 'Über <all>' }
    const values = { page: 3, status: ['failed', 'passed'], q: 'Über <all>' }
    expect(parseQuery(query, ['page', 'status', 'q'])).toEqual(values)
    expect(parseQuery({}, [])).toEqual({})
  })

  it('is refused with all errors at once', () => {
    const problem = collectErrors(() =>
      parseQuery({ page: '-1', round: 'x', limit: '5' }, ['page', 'round']),
    )
    expect(problem?.code).toBe('invalid-parameter')
    expect(problem?.errors?.map(({ parameter }) => parameter)).toEqual(['page', 'round', 'limit'])
    expect(problem?.errors?.[2]?.detail).toBe(
      'is not a parameter of this path; its parameters are page, round',
    )
  })

  it('is refused with a message if the resource has no parameters', () => {
    expect(collectErrors(() => parseQuery({ x: '1' }, []))?.errors).toEqual([
      { parameter: 'x', detail: 'is not a parameter of this path; it has no parameters' },
    ])
  })

  it('is refused if a parameter is repeated, or if page and cursor are combined', () => {
    expect(collectErrors(() => parseQuery({ page: ['1', '2'] }, ['page']))?.errors).toEqual([
      { parameter: 'page', detail: 'must occur only once' },
    ])
    expect(
      collectErrors(() => parseQuery({ page: '1', cursor: 'abc' }, ['page', 'cursor']))?.errors,
    ).toEqual([{ parameter: 'cursor', detail: 'cannot be combined with page' }])
  })

  it('beside a cursor, the first page is as absent, because generated clients send each default', () => {
    const cursor = 'abc'
    expect(parseQuery({ page: '0', cursor }, ['page', 'cursor'])).toEqual(
      parseQuery({ cursor }, ['page', 'cursor']),
    )
  })

  it('has a list in each form of clients: repeated, separated by commas, or both', () => {
    const values = { status: ['failed', 'passed', 'rejected'] }
    for (const status of [
      'passed,rejected,failed',
      ['passed', 'rejected', 'failed'],
      ['passed,rejected', 'failed', 'passed'],
    ]) {
      expect(parseQuery({ status }, ['status'])).toEqual(values)
    }
    for (const status of [['passed', ''], ['passed', 'x'], [',passed']]) {
      const [error] = collectErrors(() => parseQuery({ status }, ['status']))?.errors ?? []
      expect(error?.detail).toMatch(/^must be any of .*; repeated or separated by commas$/)
    }
  })

  it('names the formats of a list if the format is not one of them', () => {
    const detail = 'must be one of `json`, `ndjson`, `csv`; without it, Accept selects the format'
    expect(parseQuery({ format: 'csv' }, ['format'])).toEqual({ format: 'csv' })
    for (const format of ['', 'CSV', 'text/csv', 'xml']) {
      const problem = collectErrors(() => parseQuery({ format }, ['format']))
      expect(problem?.errors).toEqual([{ parameter: 'format', detail }])
    }
    const twice = collectErrors(() => parseQuery({ format: ['csv', 'json'] }, ['format']))
    expect(twice?.errors?.[0]?.detail).toBe('must occur only once')
  })

  it('never accepts a token', () => {
    expect(collectErrors(() => parseQuery({ access_token: 'x' }, []))?.code).toBe(
      'token-not-in-header',
    )
  })
})

describe('a page number', () => {
  it('is parsed as a number, and is missing if it is not given', () => {
    expect(parseQuery({}, ['page'])).toEqual({})
    expect(parseQuery({ page: '007' }, ['page'])).toEqual({ page: 7 })
  })

  it('is refused if it is too large, and never changed to another number', () => {
    const detail = 'must be an integer from 0 to 2147483647; pages start at 0'
    expect(parseQuery({ page: '2147483647' }, ['page'])).toEqual({ page: 2147483647 })
    for (const page of ['2147483648', '9999999999999999999999', '9'.repeat(400)]) {
      const problem = collectErrors(() => parseQuery({ page }, ['page']))
      expect(problem?.errors).toEqual([{ parameter: 'page', detail }])
    }
  })
})

describe('a proposal id', () => {
  it('is canonical without leading zeros, and unknown beyond uint64', () => {
    expect(parseProposalId('937')).toEqual({ kind: 'id', id: '937' })
    expect(parseProposalId('0')).toEqual({ kind: 'id', id: '0' })
    expect(parseProposalId('00')).toEqual({ kind: 'non-canonical', id: '0' })
    expect(parseProposalId('007')).toEqual({ kind: 'non-canonical', id: '7' })
    expect(parseProposalId('18446744073709551615').kind).toBe('id')
    expect(parseProposalId('18446744073709551616').kind).toBe('unknown')
  })

  it('is refused if it is not digits', () => {
    for (const raw of ['', 'x', '1.0', '-1', '１', '1\n']) {
      expect(collectErrors(() => parseProposalId(raw))?.errors?.[0]?.parameter).toBe('proposalId')
    }
  })
})
