// Rejects requests that two servers could interpret differently.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { readApiConfig } from '../../api/config.ts'
import { type Api, startApi } from '../../api/main.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { seedStory } from '../support/api/api-story.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

let api: Api | undefined
afterEach(async () => {
  await api?.close()
  api = undefined
})

const exchange = async (lines: readonly string[]): Promise<string> => {
  const metrics = createMetrics('api')
  const config = { ...readApiConfig({}), port: 0 }
  api ??= await startApi({ config, store: testStore.store, logger: silentLogger(), metrics })
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  let text = ''
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  await once(socket, 'close')
  return text
}

describe('an ambiguous request', () => {
  it.each([
    ['two hosts', ['Host: a', 'Host: b']],
    ['the same host twice', ['Host: a', 'host: a']],
    ['an unknown transfer coding', ['Host: a', 'Transfer-Encoding: xchunked']],
  ])(
    'with %s gets 400 and the end of its connection, also for a cached page',
    async (_what, fields) => {
      for (const path of ['/api/proposals', '/api/proposals', '/api/health']) {
        const warm = await exchange([`GET ${path} HTTP/1.1`, 'Host: a', 'Connection: close'])
        expect(warm).toMatch(/^HTTP\/1\.1 200 /)
        const answer = await exchange([`GET ${path} HTTP/1.1`, ...fields])
        expect(answer).toMatch(
          /^HTTP\/1\.1 400 [\s\S]*connection: close[\s\S]*"code":"bad-request"/i,
        )
        expect(answer).not.toMatch(/HTTP\/1\.1 200/)
      }
    },
  )
})
