// The started product on one machine: what it does when its engine is silent, and when a child of it keeps dying.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, type TestContext } from 'vitest'
import { readRunFile } from '../../infra/app/data-dir.ts'
import { createStore } from '../../infra/base/clickhouse/client.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { getJson, type RollcallProcess, until } from '../support/process/rollcall-process.ts'

type Health = { status: string; chain: { height: number } | null }

const startProduct = async ({ onTestFinished }: TestContext) => {
  const { run, folder, clean } = await createDemoFolder()
  onTestFinished(clean)
  const rollcall = run()
  const url = await rollcall.untilServing()
  const info = readRunFile(join(folder, '.rollcall'))
  if (!info) throw new Error('there is no run.json')
  return { rollcall, url, info }
}

const findPid = (rollcall: RollcallProcess, part: string): number | undefined =>
  rollcall.processes().find((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(part)
    } catch {
      return false
    }
  })

const readHeight = async (url: string) =>
  (await getJson<Health>(url, '/api/health')).chain?.height ?? 0

let pages = 0
/** A page that was never requested before, so it must come from the engine. */
const readFreshPage = (url: string) => getJson(url, `/api/proposals?q=fresh${pages++}`)

const expectRecovery = async (rollcall: RollcallProcess, url: string, enginePid: number) => {
  await until('another engine', 90_000, () => {
    const pid = findPid(rollcall, 'engine-process')
    return pid !== undefined && pid !== enginePid ? true : undefined
  })
  await until('a page out of the new engine', 30_000, () => readFreshPage(url))
  const before = await readHeight(url)
  await until('new heights', 40_000, async () =>
    (await readHeight(url)) > before ? true : undefined,
  )
}

// Each waits most of its time, so they share that time.
describe.concurrent('the supervisor', () => {
  it('replaces a stopped engine, and then responses and new heights continue', async (context) => {
    const { rollcall, url } = await startProduct(context)
    const engine = findPid(rollcall, 'engine-process') ?? Number.NaN
    process.kill(engine, 'SIGSTOP')
    await expectRecovery(rollcall, url, engine)
    expect(rollcall.processes().length).toBe(4)
  })

  it('replaces an engine that no longer listens, and then responses and new heights continue', async (context) => {
    const { rollcall, url, info } = await startProduct(context)
    const engine = findPid(rollcall, 'engine-process') ?? Number.NaN
    const administrator = createStore(info.clickhouse)
    await administrator.command('SYSTEM STOP LISTEN HTTP').catch(() => undefined)
    await administrator.close()
    await expect(fetch(info.clickhouse.url)).rejects.toThrow()
    await expectRecovery(rollcall, url, engine)
    expect(rollcall.processes().length).toBe(4)
  })

  it('restarts a writer that dies seven times, while the API serves and reports why it is not ready', {
    tags: 'infra:children-are-restarted',
  }, async (context) => {
    const { rollcall, url, info } = await startProduct(context)
    const reader = findPid(rollcall, 'reader')
    let last: number | undefined
    for (let deaths = 1; deaths <= 7; deaths++) {
      const writer = await until(`writer ${deaths}`, 60_000, () => {
        const pid = findPid(rollcall, 'writer')
        return pid === last ? undefined : pid
      })
      process.kill(writer, 'SIGKILL')
      last = writer
      expect((await getJson<Health>(url, '/api/health')).status).toBeDefined()
      // A writer killed during a commit may leave a row that no response may contain before its return.
      await until('a page out of the tables', 70_000, () => readFreshPage(url))
    }
    const { reasons } = await until('an unready machine', 10_000, async () => {
      const response = await fetch(new URL('/readyz', info.operatorsUrl))
      const body = (await response.json()) as { ready: boolean; reasons: string[] }
      return response.status === 503 ? body : undefined
    })
    expect(reasons.join('\n')).toMatch(/writer: ended 7 times within 10 minutes/)
    await until('a degraded health', 30_000, async () =>
      (await getJson<Health>(url, '/api/health')).status === 'degraded' ? true : undefined,
    )
    expect(rollcall.stderr()).toMatch(/a child keeps ending/)
    expect(findPid(rollcall, 'reader')).toBe(reader)
    const before = await readHeight(url)
    await until('new heights', 90_000, async () =>
      (await readHeight(url)) > before ? true : undefined,
    )
  })
})
