// The data directory of a machine is private, has one user at a time, also across containers, and never blocks a start.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDataDir, readHolder, readRunFile } from '../../infra/app/data-dir.ts'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { startChild } from '../support/process/child.ts'
import { runRollcall } from '../support/process/rollcall-process.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'

const OWN_PROCESSES = [
  'unshare',
  '--user',
  '--map-root-user',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
]
const OWN_MOUNTS = ['unshare', '--user', '--map-root-user', '--mount']
const hasNamespaces =
  spawnSync(OWN_PROCESSES[0] ?? '', [...OWN_PROCESSES.slice(1), 'true']).status === 0

const setup = () => {
  const directory = createTemporaryDirectory('data-dir')
  onTestFinished(directory.remove)
  const path = join(directory.path, 'data')
  const hold = (within?: readonly string[]) => {
    const script = import.meta.resolve('../support/process/data-dir-holder.ts')
    const child = startChild(script, [path], within ? { within } : {})
    onTestFinished(() => child.kill())
    return child
  }
  return { path, hold }
}

const RUN = {
  pid: process.pid,
  url: 'http://127.0.0.1:1',
  operatorsUrl: 'http://127.0.0.1:2',
  clickhouse: { url: 'http://127.0.0.1:3', username: 'rollcall', password: 'secret' },
}

describe('a data directory in use', () => {
  it.runIf(hasNamespaces)(
    'rejects a process in another PID namespace and does not change',
    { tags: 'infra:one-process-per-data-dir' },
    async () => {
      const { path, hold } = setup()
      const own = await openDataDir(path)
      onTestFinished(() => own.release())
      own.writeRunFile(RUN)
      const before = readdirSync(path).sort()
      const other = hold(OWN_PROCESSES)
      const line = await other.line(() => true)
      expect(line).toMatchObject({
        code: 'DATA_DIR_LOCKED',
        message: expect.stringContaining(`process ${process.pid} since `),
      })
      expect(readdirSync(path).sort()).toEqual(before)
      expect(readRunFile(path)).toMatchObject(RUN)
    },
  )

  it.runIf(hasNamespaces)(
    'by a process in another PID namespace is rejected, and is free directly after a kill of that process',
    async () => {
      const { path, hold } = setup()
      const other = hold(OWN_PROCESSES)
      expect(await other.line(() => true)).toHaveProperty('holds')
      await expect(openDataDir(path)).rejects.toMatchObject({ code: 'DATA_DIR_LOCKED' })
      expect(readHolder(path)).toBeDefined()
      await other.kill('SIGKILL')
      const taken = await openDataDir(path)
      expect(readHolder(path)?.pid).toBe(process.pid)
      await taken.release()
    },
  )
})

describe('a data directory', () => {
  it.runIf(hasNamespaces)(
    'on a read-only disk gives no crash: its log says what is missing',
    async () => {
      const { path } = setup()
      const dataDir = await openDataDir(path)
      await (await openEmbeddedLog({ path: dataDir.logPath })).close()
      await dataDir.release()
      const cli = new URL('../../dist/infra/app/cli.js', import.meta.url).pathname
      const script = `mount --bind '${path}' '${path}' && mount -o remount,bind,ro '${path}' && exec '${process.execPath}' '${cli}' verify`
      const [program = '', ...args] = [...OWN_MOUNTS, 'sh', '-c', script]
      const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: path }
      const ended = spawnSync(program, args, { env, encoding: 'utf8', timeout: 30_000 })
      expect(ended.status).not.toBe(0)
      expect(ended.stderr).toMatch(/could not read .*log\.db/)
      expect(ended.stderr).not.toMatch(/\n\s+at /)
    },
  )

  it('hides its logs from other users', async () => {
    const { path } = setup()
    const first = await openDataDir(path)
    for (const log of [first.logPath, first.agentsLogPath]) {
      const opened = await openEmbeddedLog({ path: log })
      onTestFinished(() => opened.close())
      expect(statSync(log).mode & 0o777, log).toBe(0o700)
      for (const name of readdirSync(log)) {
        expect(statSync(join(log, name)).mode & 0o777, name).toBe(0o600)
      }
    }
    await first.release()
  })

  it.runIf(process.platform === 'linux')(
    'on procfs fails the start within seconds with exit code 73 and the reason',
    async () => {
      const { path } = setup()
      mkdirSync(path)
      const rollcall = runRollcall({ folder: path, env: { DATA_DIR: '/proc/rollcall/data' } })
      const { code } = await rollcall.ended
      expect(code).toBe(73)
      expect(rollcall.stderr()).toMatch(
        /the data directory \/proc\/rollcall\/data cannot be written/,
      )
    },
    30_000,
  )

  it.runIf(hasNamespaces)(
    'on a read-only file system fails the start with exit code 73 and EROFS',
    () => {
      const { path } = setup()
      mkdirSync(path)
      const cli = new URL('../../dist/infra/app/cli.js', import.meta.url).pathname
      const script = `mount -t tmpfs tmpfs '${path}' && mount -o remount,ro '${path}' && exec '${process.execPath}' '${cli}' start`
      const [program = '', ...args] = [...OWN_MOUNTS, 'sh', '-c', script]
      const { PATH = '' } = process.env
      for (const dataDir of [path, join(path, 'below')]) {
        const env = { PATH, DATA_DIR: dataDir, PORT: '0', OPERATORS_PORT: '0' }
        const ended = spawnSync(program, args, { env, encoding: 'utf8', timeout: 30_000 })
        expect(ended.status, ended.stderr).toBe(73)
        expect(ended.stderr.trim().split('\n')).toHaveLength(1)
        expect(ended.stderr).toMatch(/cannot be written: EROFS/)
      }
    },
  )
})
