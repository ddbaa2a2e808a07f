// Tests the log commands: on a running Rollcall, on a stopped one, and in pipes.
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_NOTE } from '../../ingest/contract/demo-chain.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { getJson, type RollcallProcess, until } from '../support/process/rollcall-process.ts'

const CLI = fileURLToPath(new URL('../../dist/infra/app/cli.js', import.meta.url))
const run = promisify(execFile)

type RunFolder = Awaited<ReturnType<typeof createDemoFolder>>
let runFolder: RunFolder
let rollcall: RollcallProcess
let url: string
beforeAll(async () => {
  runFolder = await createDemoFolder()
  rollcall = runFolder.run({ env: { DEMO_BLOCK_MS: '20' } })
  url = await rollcall.untilServing()
  await until('all of the demo chain', 90_000, async () => {
    const health = await getJson<{ chain: { height: number }; tip: number }>(url, '/api/health')
    return health.chain.height >= 600 ? health : undefined
  })
})
afterAll(() => runFolder.clean())

const command = async (args: string[], env: Record<string, string> = {}) => {
  const child = runFolder.run({ args, env })
  const { code } = await child.ended
  return { code, stdout: child.stdout(), stderr: child.stderr() }
}

const shell = async (line: string): Promise<string> => {
  const { stdout } = await run('bash', ['-c', `set -o pipefail; ${line}`], {
    cwd: runFolder.folder,
    env: { ...process.env, CLI, NODE: process.execPath },
    maxBuffer: 2 ** 28,
  })
  return stdout
}

describe('the log commands', () => {
  it('verify, export and import the log while Rollcall writes it', async () => {
    expect(await command(['verify'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('verified: no gap'),
      stderr: '',
    })
    const exported = await command(['export', '--out', 'log.ndjson.gz', '--json'])
    expect(exported.code).toBe(0)
    const summary = JSON.parse(exported.stdout) as { records: number; to: number }
    expect(summary.to).toBeGreaterThanOrEqual(600)
    expect(readdirSync(runFolder.folder).filter((name) => name.includes('partial'))).toEqual([])

    const copy = { DATA_DIR: join(runFolder.folder, 'copy') }
    expect(await command(['import', 'log.ndjson.gz'], copy)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`(${summary.records} records), 0 already present`),
    })
    expect(await command(['verify'], copy)).toMatchObject({ code: 0 })
    const refused = await command(['import', 'log.ndjson.gz'])
    expect(refused).toMatchObject({ code: 75, stderr: expect.stringContaining('is in use by') })
  })

  it('end without an error in a pipe with a closed reader, and after Ctrl-C', async () => {
    const lines = await shell('"$NODE" "$CLI" replay --type vote.cast | head -n 3')
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type),
    ).toEqual(Array.from({ length: 3 }, () => 'rollcall.vote.cast.v1'))
    expect(await shell('"$NODE" "$CLI" export 2> said | head -n 1; cat said')).toMatch(
      /^\{"rollcall":"export".*\}\nthe reader closed the pipe/,
    )
    const following = runFolder.run({ args: ['replay', '--from', '590', '--follow'] })
    await until(
      'events of the last heights',
      20_000,
      () => following.stdout().length > 0 || undefined,
    )
    following.signal('SIGINT')
    expect(await following.ended).toMatchObject({ code: 0, signal: null })
    expect(following.stderr()).toBe('')
  })

  it('leave nothing in which doctor finds a problem', async () => {
    const examined = await command(['doctor', '--json'])
    const findings = JSON.parse(examined.stdout) as {
      area: string
      level: string
      message: string
    }[]
    expect(rollcall.stdout()).toContain(`CHAIN_RPC_URLS is not set. ${DEMO_NOTE}`)
    expect(findings.find(({ area }) => area === 'chain')?.message).toContain(DEMO_NOTE)
    expect(findings.filter(({ level }) => level === 'problem')).toEqual([])
    expect(new Set(findings.map(({ area }) => area))).toEqual(
      new Set([
        'settings',
        'node',
        'engine',
        'data directory',
        'event log',
        'kafka',
        'chain',
        'store',
        'projections',
        'api',
        'services',
      ]),
    )
    expect(examined.code).toBe(0)
  })

  it('report errors with the right exit code', async () => {
    const absent = { DATA_DIR: join(runFolder.folder, 'absent') }
    expect(await command(['verify'], absent)).toMatchObject({
      code: 69,
      stderr: expect.stringContaining('no event log in'),
    })
    expect(await command(['export', '--from', '9', '--to', '5'])).toMatchObject({ code: 64 })
    expect(await command(['replay', '--type', 'vote.eaten'])).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('types: schema.observed, chain.snapshot'),
    })
    expect(await command(['import', 'absent.gz'])).toMatchObject({ code: 64 })
    expect(await command(['doctor'], { CHAIN_RPC_URLS: 'http://127.0.0.1:1' })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /address +problem +127\.0\.0\.1:1: it does not respond like a node: ECONNREFUSED/,
      ),
    })
    for (const name of ['export', 'import', 'replay', 'verify', 'doctor']) {
      const { code, stdout } = await command([name, '--help'])
      expect([code, stdout.includes('examples:')]).toEqual([0, true])
    }
  })
})
