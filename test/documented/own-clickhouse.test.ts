// Tests an external ClickHouse with one machine and an additional reader.
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startEmbeddedClickHouse } from '../../infra/base/clickhouse/embedded-server.ts'
import { createLogger } from '../../infra/base/runtime/logger.ts'
import { createRunFolder, getJson, until } from '../support/process/rollcall-process.ts'

type Proposals = {
  items: { proposalId: string; status: string }[]
  page: { totalItems: number }
  asOf: { height: number }
}
type Health = { tip: number; chain: { height: number } | null }

const setup = async () => {
  const runFolder = await createRunFolder()
  onTestFinished(runFolder.clean)
  const engine = await startEmbeddedClickHouse({
    dataDir: join(runFolder.folder, 'own-clickhouse'),
    password: 'a password of its own',
    logger: createLogger({ service: 'test', level: 'silent' }),
  })
  onTestFinished(() => engine.close())
  const { url, username, password } = engine
  const env = { CLICKHOUSE_URL: url, CLICKHOUSE_USERNAME: username, CLICKHOUSE_PASSWORD: password }
  return { ...runFolder, env }
}

const listeningAt = (output: string): string | undefined =>
  /"url":"(http:[^"]+)","msg":"started api"/.exec(output)?.[1]

describe('a ClickHouse at CLICKHOUSE_URL', () => {
  it('replaces the embedded one and serves several readers', {
    tags: 'api:any-instance',
  }, async () => {
    const { run, env } = await setup()
    const machine = run({ env })
    const url = await machine.untilServing()
    const reader = run({ args: ['api'], env })
    const readerUrl = await until('the reader listens', 30_000, () => listeningAt(reader.stdout()))
    await until('both have all', 120_000, async () => {
      const { tip, chain } = await getJson<Health>(url, '/api/health')
      return chain && tip - chain.height < 5 ? true : undefined
    })
    // Each reader notices a new height on its own: only answers of the same height can be equal.
    const { one, other } = await until('both answer as of one height', 60_000, async () => {
      const readPassed = (each: string) => getJson<Proposals>(each, '/api/proposals?status=passed')
      const [one, other] = await Promise.all([readPassed(url), readPassed(readerUrl)])
      return one.asOf.height === other.asOf.height ? { one, other } : undefined
    })
    expect(one.page.totalItems).toBeGreaterThan(0)
    expect(other).toEqual(one)

    reader.signal('SIGTERM')
    expect((await reader.ended).code).toBe(0)
    machine.signal('SIGINT', { group: true })
    expect((await machine.ended).code).toBe(0)
  })

  it('is required by a single service, which reports it and ends', async () => {
    const { run } = await setup()
    const reader = run({ args: ['api'] })
    expect((await reader.ended).code).toBe(78)
    expect(reader.stderr()).toContain('CLICKHOUSE_URL is not set')
  })

  it('that rejects the password fails the start with its own message', async () => {
    const { run, env } = await setup()
    const machine = run({ env: { ...env, CLICKHOUSE_PASSWORD: 'wrong' } })
    expect((await machine.ended).code).toBe(78)
    expect(machine.stderr()).toMatch(/authentication failed/i)
    expect(machine.stderr()).not.toContain('wrong')
  })

  it('that rejects the password ends a service with one line and exit code 78', async () => {
    const { run, env } = await setup()
    const api = run({ args: ['api'], env: { ...env, CLICKHOUSE_PASSWORD: 'wrong' } })
    expect((await api.ended).code).toBe(78)
    expect(api.stderr().trim().split('\n')).toHaveLength(1)
    expect(api.stderr()).toMatch(/^rollcall: authentication failed: .*CLICKHOUSE_PASSWORD/)
  })
})
