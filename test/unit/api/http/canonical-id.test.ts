// Tests of canonical proposal IDs in paths: every other form is redirected.
import { describe, expect, it } from 'vitest'
import { findCanonicalLocation } from '../../../../api/http/send.ts'

describe('the id in a path', () => {
  it.each([
    ['/api/proposals/007', '007', '/api/proposals/7'],
    ['/api/proposals/007/votes?page=007', '007', '/api/proposals/7/votes?page=007'],
    ['/api/proposals/%30%37', '07', '/api/proposals/7'],
    ['/api/proposals/0%37/votes', '07', '/api/proposals/7/votes'],
    ['http://elsewhere07.example/api/proposals/07', '07', '/api/proposals/7'],
    ['HTTPS://elsewhere.example:8/proposals/07?a?b', '07', '/proposals/7?a?b'],
    ['/proposals/00', '00', '/proposals/0'],
  ])('%s redirects to the canonical form at this origin', (url, raw, location) => {
    const id = `${Number(raw)}`
    expect(findCanonicalLocation(url, { proposalId: raw }, { proposalId: id })).toBe(location)
  })

  it('is not redirected if it is canonical', () => {
    const params = { proposalId: '7' }
    expect(findCanonicalLocation('/api/proposals/7', params, params)).toBeUndefined()
  })
})
