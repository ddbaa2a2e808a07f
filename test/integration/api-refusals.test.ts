// Tests of what the API refuses with a problem document: parameters, IDs, methods, paths, tokens, cursors.
import { describe, expect, it } from 'vitest'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const setup = (changes: Parameters<typeof createApiRig>[1] = {}) =>
  createApiRig(testStore.store, changes)

const OPEN = `/api/proposals/${OPEN_VOTE}/votes`

describe('the API', () => {
  it('returns 400 that names every wrong parameter', {
    tags: ['api:errors-are-problems', 'api:mistakes-are-named'],
  }, async () => {
    const { ask } = await setup()
    for (const page of ['-1', '1.5', 'x', '', '1e3', '0x1', '%20']) {
      const answer = await ask(`/api/proposals?page=${page}`)
      expectProblem(answer, 400, 'invalid-parameter')
      expect(answer.json().errors).toEqual([{ parameter: 'page', detail: expect.any(String) }])
    }
    const both = await ask(`${OPEN}?page=x&round=0`)
    expect(both.json().errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual([
      'page',
      'round',
    ])
    for (const query of ['status=open', 'proposer=a%20b', 'q=', 'page=1&page=2', 'limit=5']) {
      expectProblem(await ask(`/api/proposals?${query}`), 400, 'invalid-parameter')
    }
  })

  it.each(['/api/proposals?page=', '/proposals?q=', '/nothing?x=', '/feed.atom?page='])(
    'returns 414 for a URL of more than 4,096 bytes: %s',
    async (path) => {
      const { ask } = await setup()
      const url = `${path}${'0'.repeat(4_097 - path.length)}`
      const headers = { accept: 'application/json' }
      expectProblem(await ask(url, { headers }), 414, 'uri-too-long')
      expect((await ask(url.slice(0, -1))).status).not.toBe(414)
    },
  )

  it('returns 400 for IDs that are not digits, for the detail and for the votes', {
    tags: 'api:mistakes-are-named',
  }, async () => {
    const { ask } = await setup()
    for (const id of ['x', '1x', '-1', '1.0', '%F0%9F%97%B3', '1%2F2', 'x'.repeat(300)]) {
      for (const url of [`/api/proposals/${id}`, `/api/proposals/${id}/votes`]) {
        const answer = await ask(url)
        expectProblem(answer, 400, 'invalid-parameter')
        expect(answer.json().errors[0].parameter).toBe('proposalId')
      }
    }
  })

  it('returns 404 for unknown IDs, also beyond uint64, without a query', {
    tags: ['api:errors-are-problems', 'api:ids-are-canonical'],
  }, async () => {
    const { ask, store } = await setup()
    const { selects } = store
    for (const id of ['0', '46', '18446744073709551615', '18446744073709551616', '9'.repeat(200)]) {
      expectProblem(await ask(`/api/proposals/${id}`), 404, 'proposal-not-found')
      expectProblem(await ask(`/api/proposals/${id}/votes?page=3`), 404, 'proposal-not-found')
    }
    expect(store.selects).toBe(selects)
  })

  it('redirects leading zeros to the canonical ID with 308, and keeps the query', {
    tags: 'api:ids-are-canonical',
  }, async () => {
    const { ask } = await setup()
    const readRedirect = async (url: string) => {
      const { status, headers } = await ask(url)
      return [status, headers['location']]
    }
    expect(await readRedirect('/api/proposals/007')).toEqual([308, '/api/proposals/7'])
    expect(await readRedirect('/api/proposals/007/votes?page=1')).toEqual([
      308,
      '/api/proposals/7/votes?page=1',
    ])
    expect(await readRedirect('/api/proposals/000')).toEqual([308, '/api/proposals/0'])
    expect(await readRedirect('/api/proposals/%30%34%35')).toEqual([308, '/api/proposals/45'])
  })

  it('returns 405 with Allow for other methods, whatever they contain, and 404 for unknown paths', {
    tags: 'api:errors-are-problems',
  }, async () => {
    const { ask } = await setup()
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']) {
      for (const url of ['/api/health', '/%61pi/proposals', OPEN]) {
        const answer = await ask(url, { method, headers: { 'content-type': 'application/json' } })
        expectProblem(answer, 405, 'method-not-allowed')
        expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS')
      }
      expectProblem(await ask('/api/nothing', { method }), 404, 'route-not-found')
    }
    expectProblem(await ask('/api/proposals/1/nothing'), 404, 'route-not-found')
    expectProblem(await ask('/api/proposals/%zz'), 400, 'bad-request')
  })

  it('returns 401 with a challenge for any credentials, in any form of the URL', {
    tags: 'api:bad-token-is-refused',
  }, async () => {
    const { ask } = await setup()
    for (const authorization of ['Bearer abc', 'bearer', 'Basic YTpi', '']) {
      const answer = await ask(OPEN, { headers: { authorization } })
      expectProblem(answer, 401, 'invalid-token')
      expect(answer.headers['www-authenticate']).toMatch(
        /^Bearer realm="rollcall", error="invalid_token"/,
      )
    }
    for (const url of ['/%61pi/proposals', `/ap%69/proposals/1`, '/', '/status', '/openapi.json']) {
      const answer = await ask(url, { headers: { authorization: 'Bearer nonsense' } })
      expect([url, answer.status]).toEqual([url, 401])
    }
  })

  it('returns 400 for a token in the URL of every readable resource', {
    tags: 'api:bad-token-is-refused',
  }, async () => {
    const { ask } = await setup()
    for (const url of [OPEN, '/api/health', '/openapi.json', '/auth.md']) {
      expectProblem(await ask(`${url}?access_token=x`), 400, 'token-not-in-header')
    }
  })
})
