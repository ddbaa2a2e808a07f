// Addresses spelled otherwise, and refusals that must be whole: nothing is let through or lost by the way it is asked for.
import { describe, expect, it } from 'vitest'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const BAD = { authorization: 'Bearer nonsense' }

describe('an address', () => {
  it('refuses a token that does not hold, however it is spelled', async () => {
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

  it('refuses a token in the address, wherever there is something to read', async () => {
    const { ask } = await createApiRig(testStore.store)
    for (const url of ['/api/health', '/api/proposals', '/openapi.json', '/auth.md']) {
      expectProblem(await ask(`${url}?access_token=x`), 400, 'token-not-in-header')
    }
  })

  it('of a proposal has one spelling, which is led to', async () => {
    const { ask } = await createApiRig(testStore.store)
    const led = await ask('/api/proposals/%30%34%35')
    expect([led.status, led.headers['location']]).toEqual([308, '/api/proposals/45'])
  })

  it('answers a method that it has not with 405, however it is spelled', async () => {
    const { ask } = await createApiRig(testStore.store)
    const answer = await ask('/%61pi/proposals', { method: 'POST' })
    expectProblem(answer, 405, 'method-not-allowed')
  })
})

describe('a refusal', () => {
  it('of one request too many says when to come back, as a page too', async () => {
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
