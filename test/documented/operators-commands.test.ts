// Tests the commands of operators: the demo chain and ClickHouse alone.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findFreePorts } from '../devnet/ports.ts'
import {
  createRunFolder,
  type RollcallProcess,
  until,
} from '../support/process/rollcall-process.ts'

const setup = async (createFolder = createRunFolder) => {
  const runFolder = await createFolder()
  onTestFinished(runFolder.clean)
  return runFolder
}

/** The value of a setting that a command has printed. */
const readSetting = (run: RollcallProcess, name: string): Promise<string> =>
  until(`${name} in the output`, 60_000, () =>
    new RegExp(`^${name}=(.+)$`, 'm').exec(run.stdout())?.at(1),
  )

const query = async (url: string, password: string, sql: string) => {
  const headers = { 'x-clickhouse-user': 'rollcall_engine', 'x-clickhouse-key': password }
  const response = await fetch(url, { method: 'POST', headers, body: sql })
  return { status: response.status, text: (await response.text()).trim() }
}

const interrupt = async (run: RollcallProcess): Promise<number | null> => {
  run.signal('SIGINT', { group: true })
  const { code } = await run.ended
  await run.untilNoneLeft(2_000)
  return code
}

describe('rollcall demo-node', () => {
  it('serves the demo chain at the printed URL until Ctrl-C', async () => {
    const { run } = await setup()
    const node = run({ args: ['demo-node', '--port', '0'] })
    const url = await readSetting(node, 'CHAIN_RPC_URLS')
    const status = (await (await fetch(new URL('/status', url))).json()) as {
      result: { node_info: { network: string } }
    }
    expect(status.result.node_info.network).toBe(await readSetting(node, 'CHAIN_ID'))
    expect(await readSetting(node, 'START_HEIGHT')).toBe('earliest')

    const second = run({ args: ['demo-node', '--port', new URL(url).port] })
    expect((await second.ended).code).toBe(78)
    expect(second.stderr()).toContain('choose another --port')
    expect(await interrupt(node)).toBe(0)
  })
})

describe('rollcall clickhouse', () => {
  it('serves ClickHouse with a password, keeps its data, and rejects a second process in its directory', async () => {
    const { run, folder } = await setup()
    const [port = 0] = await findFreePorts(1)
    const args = ['clickhouse', '--port', String(port), '--data-dir', 'store']
    const first = run({ args })
    const url = await readSetting(first, 'CLICKHOUSE_URL')
    expect(url).toBe(`http://127.0.0.1:${port}`)
    const password = await readSetting(first, 'CLICKHOUSE_PASSWORD')
    expect((await query(url, 'a wrong password', 'SELECT 1')).status).toBeGreaterThanOrEqual(400)
    await query(url, password, 'CREATE TABLE default.kept (n UInt8) ENGINE = MergeTree ORDER BY n')
    await query(url, password, 'INSERT INTO default.kept VALUES (42)')

    const other = run({ args: ['clickhouse', '--data-dir', 'store'] })
    expect((await other.ended).code).toBe(75)
    expect(await interrupt(first)).toBe(0)

    const own = 'a password of my own'
    const again = run({ args, env: { CLICKHOUSE_PASSWORD: own } })
    await readSetting(again, 'CLICKHOUSE_URL')
    expect(await query(url, own, 'SELECT n FROM default.kept')).toEqual({ status: 200, text: '42' })
    expect(again.stdout()).not.toContain('PASSWORD')
    again.signal('SIGKILL')
    await again.untilNoneLeft(6_000)
    expect(readdirSync(join(folder, 'store'))).toContain('clickhouse')
  })
})

describe('the commands of operators while Rollcall has nothing to serve yet', () => {
  it('name the process that starts, then its API, and never say that it is not running', async () => {
    const { run } = await setup()
    const [port = 0, dead = 0] = await findFreePorts(2)
    const command = async (...args: string[]) => {
      const child = run({ args })
      const { code } = await child.ended
      return { code, output: child.stdout() + child.stderr() }
    }
    const env = { PORT: String(port), CHAIN_RPC_URLS: `http://127.0.0.1:${dead}` }
    const rollcall = run({ env })
    await until('the lock of the data directory', 30_000, () =>
      rollcall.processes().length > 1 ? true : undefined,
    )
    const early = await command('doctor')
    expect(early.output).toMatch(/process \d+ uses .* does not serve yet|serves no height yet/)
    await until('the API', 60_000, async () => {
      const response = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => undefined)
      return response?.ok
    })
    const examined = await command('doctor')
    expect(examined.output).toMatch(new RegExp(`127.0.0.1:${port} serves no height yet`))
    const verified = await command('tally', 'verify', '1')
    expect(verified.code).toBe(69)
    expect(verified.output).not.toContain('not running')
    expect(await interrupt(rollcall)).toBe(0)
  })
})
