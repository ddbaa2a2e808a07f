// Tests of requests to an untrusted API: large, slow, redirected or invalid responses are refused.
import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createGetFromApi } from '../../../../../infra/app/tools/rollcall-client.ts'
import { serve } from '../../../../support/http/serve.ts'

const setup = async (listener: RequestListener, base = '') => {
  const url = `${await serve(listener)}${base}`
  return {
    url,
    get: createGetFromApi({ url, signal: AbortSignal.timeout(60_000), maxBodyBytes: 100 }),
  }
}

describe('a request to an untrusted API', () => {
  it('returns the status and the JSON of a response, also of a problem', async () => {
    const { get } = await setup(({ url }, response) => {
      response.writeHead(url === '/base/api/a' ? 200 : 404).end(`{"path":"${url}"}`)
    }, '/base')
    expect(await get('/api/a')).toEqual({ status: 200, body: { path: '/base/api/a' } })
    expect(await get('/api/b?x=1')).toEqual({ status: 404, body: { path: '/base/api/b?x=1' } })
  })

  it('never follows a redirect, and names its target', async () => {
    let visits = 0
    const elsewhere = await serve((_, response) => {
      visits += 1
      response.end('{}')
    })
    const { url, get } = await setup((_, response) => {
      response.writeHead(302, { location: `${elsewhere}/api/a` }).end()
    })
    await expect(get('/api/a')).rejects.toMatchObject({
      code: 'EVIDENCE_UNAVAILABLE',
      message: `${url}/api/a redirects to ${elsewhere}/api/a: use that address if you trust it`,
    })
    expect(visits).toBe(0)
  })

  it('is aborted if the response is too large, whatever its header fields say', async () => {
    const { get } = await setup((_, response) => {
      response.write('"'.padEnd(60, 'x'))
      setImmediate(() => response.end('x'.repeat(60)))
    })
    await expect(get('/api/a')).rejects.toThrow('/api/a is larger than 100 bytes')
  })
})
