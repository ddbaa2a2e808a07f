// What the read API refuses, each with a problem document: wrong parameters, ids, methods, paths, credentials, cursors.
import { METHODS } from 'node:http'
import { describe, expect, it } from 'vitest'
import { PROBLEMS } from '../../api/problem.ts'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { CLOSED_VOTE, OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const setup = () => createApiRig(testStore.store)

const OPEN = `/api/proposals/${OPEN_VOTE}/votes`
const CLOSED = `/api/proposals/${CLOSED_VOTE}/votes`

describe('what is refused', () => {
  it('answers 400 with every wrong parameter named', {
    tags: 'api:errors-are-problems',
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

  it('answers 400 for ids that are not digits, on the detail and on the votes', async () => {
    const { ask } = await setup()
    for (const id of ['x', '1x', '-1', '1.0', '%F0%9F%97%B3', '1%2F2', 'x'.repeat(300)]) {
      for (const url of [`/api/proposals/${id}`, `/api/proposals/${id}/votes`]) {
        const answer = await ask(url)
        expectProblem(answer, 400, 'invalid-parameter')
        expect(answer.json().errors[0].parameter).toBe('proposalId')
      }
    }
  })

  it('answers 404 for unknown ids, those beyond uint64 too, without asking the store', {
    tags: 'api:errors-are-problems',
  }, async () => {
    const { ask, store } = await setup()
    const { selects } = store
    for (const id of ['0', '46', '18446744073709551615', '18446744073709551616', '9'.repeat(200)]) {
      expectProblem(await ask(`/api/proposals/${id}`), 404, 'proposal-not-found')
      expectProblem(await ask(`/api/proposals/${id}/votes?page=3`), 404, 'proposal-not-found')
    }
    expect(store.selects).toBe(selects)
  })

  it('sends leading zeros to the canonical id with 308, the query kept', async () => {
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
  })

  it('answers 405 with Allow for other methods, whatever they carry, and 404 for unknown paths', {
    tags: 'api:errors-are-problems',
  }, async () => {
    const { ask } = await setup()
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const url of ['/api/health', '/api/proposals', OPEN]) {
        const answer = await ask(url, { method, headers: { 'content-type': 'application/json' } })
        expectProblem(answer, 405, 'method-not-allowed')
        expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS')
      }
      expectProblem(await ask('/api/nothing', { method }), 404, 'route-not-found')
    }
    // The oldest Node that is supported does not know this method, and takes the request for a malformed one.
    const query = await ask(OPEN, { method: 'QUERY' })
    if (METHODS.includes('QUERY')) expectProblem(query, 405, 'method-not-allowed')
    else expectProblem(query, 400, 'bad-request')
    expectProblem(await ask('/api/proposals/1/nothing'), 404, 'route-not-found')
    expectProblem(await ask('/api/proposals/%zz'), 400, 'bad-request')
  })

  it('answers 401 with a challenge to any credentials, and 400 to a token in the address', async () => {
    const { ask } = await setup()
    for (const authorization of ['Bearer abc', 'bearer', 'Basic YTpi', '']) {
      const answer = await ask(OPEN, { headers: { authorization } })
      expectProblem(answer, 401, 'invalid-token')
      expect(answer.headers['www-authenticate']).toMatch(
        /^Bearer realm="rollcall", error="invalid_token"/,
      )
    }
    expectProblem(await ask(`${OPEN}?access_token=abc`), 400, 'token-not-in-header')
  })

  it('refuses cursors that are made up, of another list, or beside a page', async () => {
    const { ask } = await setup()
    const { nextCursor } = (await ask(OPEN)).json().page
    for (const query of ['cursor=abc', `cursor=${nextCursor}&page=1`, `cursor=${nextCursor}`]) {
      expectProblem(await ask(`/api/proposals?${query}`), 400, 'invalid-parameter')
    }
    expect((await ask(`${OPEN}?cursor=${nextCursor}`)).status).toBe(200)
    expectProblem(await ask(`${CLOSED}?cursor=${nextCursor}`), 400, 'invalid-parameter')
  })

  it('explains every problem at its type', async () => {
    const { ask } = await setup()
    for (const code of Object.keys(PROBLEMS)) {
      const answer = await ask(`/problems/${code}`)
      expect([answer.status, answer.json().code]).toEqual([200, code])
      const html = await ask(`/problems/${code}`, { headers: { accept: 'text/html' } })
      expect(html.headers['content-type']).toMatch(/^text\/html/)
    }
    expectProblem(await ask('/problems/nothing'), 404, 'route-not-found')
  })
})
