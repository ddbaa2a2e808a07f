// Tests of non-canonical URLs: they do not bypass any check, and refusals are complete.
import { describe, expect, it } from 'vitest'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const BAD = { authorization: 'Bearer nonsense' }

describe('a URL', () => {
  it('with an invalid token is refused in any form', async () => {
    const { ask } = await createApiRig(testStore.store)
    const urls = [
      '/api/proposals',
      '/%61pi/proposals',
      `/ap%69/proposals/${OPEN_VOTE}`,
      '/',
      '/proposals',
      `/proposals/${OPEN_VOTE}`,
      '/status',
      '/openapi.json',
    ]
    for (const url of urls) {
      const answer = await ask(url, { headers: BAD })
      expect([url, answer.status]).toEqual([url, 401])
      expect(answer.headers['www-authenticate']).toContain('invalid_token')
    }
  })

  it('with a token in it is refused for every readable resource', async () => {
    const { ask } = await createApiRig(testStore.store)
    for (const url of ['/api/health', '/api/proposals', '/openapi.json', '/auth.md']) {
      expectProblem(await ask(`${url}?access_token=x`), 400, 'token-not-in-header')
    }
  })

  it('of a proposal has one canonical form, and other forms redirect to it', async () => {
    const { ask } = await createApiRig(testStore.store)
    const led = await ask('/api/proposals/%30%34%35')
    expect([led.status, led.headers['location']]).toEqual([308, '/api/proposals/45'])
  })

  it('with an unsupported method gets 405 in any form', async () => {
    const { ask } = await createApiRig(testStore.store)
    const answer = await ask('/%61pi/proposals', { method: 'POST' })
    expectProblem(answer, 405, 'method-not-allowed')
  })
})

describe('the rate limit', () => {
  it('is enforced with Retry-After, also for HTML pages', async () => {
    const { ask } = await createApiRig(testStore.store, { rateLimitPerMinute: 2 })
    for (let n = 0; n < 2; n++) await ask('/api/health')
    for (const url of ['/', '/proposals', '/status', '/api/proposals']) {
      const answer = await ask(url)
      expect([url, answer.status]).toEqual([url, 429])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      expect(answer.headers['ratelimit']).toMatch(/^"default";r=0;t=\d+$/)
      expect(answer.headers['access-control-allow-origin']).toBe('*')
    }
  })
})
