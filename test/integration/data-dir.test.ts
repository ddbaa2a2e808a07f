// Tests of the data directory: one process at a time, no stale locks, and no change to foreign files.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDataDir, readHolder, readRunFile } from '../../infra/app/data-dir.ts'
import { startChild } from '../support/process/child.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'

const setup = () => {
  const directory = createTemporaryDirectory('data')
  onTestFinished(directory.remove)
  const path = join(directory.path, 'data')
  const hold = () => {
    const child = startChild(import.meta.resolve('../support/process/data-dir-holder.ts'), [path])
    onTestFinished(() => child.kill())
    return child
  }
  return { path, hold }
}

const holds = (line: Record<string, unknown>) => 'holds' in line
const FREE = ['lock', 'rollcall.json']

const RUN = {
  pid: process.pid,
  url: 'http://127.0.0.1:1',
  operatorsUrl: 'http://127.0.0.1:2',
  clickhouse: { url: 'http://127.0.0.1:3', username: 'rollcall', password: 'secret' },
}

describe('the lock of a data directory', () => {
  it('refuses a second process, and names the owner, its start time and a remedy', {
    tags: 'infra:one-process-per-data-dir',
  }, async () => {
    const { path, hold } = setup()
    const holder = hold()
    const { holds: pid } = await holder.line(holds)
    await expect(openDataDir(path)).rejects.toMatchObject({
      code: 'DATA_DIR_LOCKED',
      message: expect.stringMatching(
        new RegExp(`process ${pid} since \\d{4}-.*Stop it, or set DATA_DIR`),
      ),
    })
    expect(readHolder(path)?.pid).toBe(pid)
  })

  it('goes to exactly one of six processes that start at once after the owner died', {
    tags: 'infra:one-process-per-data-dir',
  }, async () => {
    const { path, hold } = setup()
    const dead = hold()
    await dead.line(holds)
    await dead.kill('SIGKILL')
    expect(readHolder(path)).toBeUndefined()
    const starters = Array.from({ length: 6 }, hold)
    const outcomes = await Promise.all(starters.map((each) => each.line(() => true)))
    expect(outcomes.filter(holds)).toHaveLength(1)
    expect(outcomes.filter((line) => line['code'] === 'DATA_DIR_LOCKED')).toHaveLength(5)
  })
})

describe('the format of a data directory', () => {
  it('is written into a new directory, which only its owner can read', async () => {
    const { path } = setup()
    const dataDir = await openDataDir(path)
    expect(JSON.parse(readFileSync(join(path, 'rollcall.json'), 'utf8'))).toEqual({ format: 1 })
    expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(dataDir).toMatchObject({
      path,
      logPath: join(path, 'log'),
      storePath: join(path, 'clickhouse'),
    })
    await dataDir.release()
  })

  it.each([
    ['garbled', '{"form'],
    ['of a later version', '{"format":2}'],
    ['not an object', 'null'],
  ])('that is %s is refused by name, and no file is changed', async (_, content) => {
    const { path } = setup()
    mkdirSync(path)
    const file = join(path, 'rollcall.json')
    writeFileSync(file, content)
    await expect(openDataDir(path)).rejects.toMatchObject({
      code: 'DATA_DIR_DAMAGED',
      message: expect.stringContaining(file),
    })
    expect(readdirSync(path)).toEqual(['rollcall.json'])
    expect(readFileSync(file, 'utf8')).toBe(content)
  })

  it('that is missing in a directory with other files is refused', async () => {
    const { path } = setup()
    mkdirSync(path)
    writeFileSync(join(path, 'holiday.jpg'), 'x')
    await expect(openDataDir(path)).rejects.toMatchObject({ code: 'DATA_DIR_DAMAGED' })
    expect(readdirSync(path)).toEqual(['holiday.jpg'])
  })

  it('is completed in a directory whose first start was interrupted', async () => {
    const { path } = setup()
    mkdirSync(path)
    writeFileSync(join(path, '.rollcall.json.1'), '')
    await (await openDataDir(path)).release()
    expect(readdirSync(path)).toEqual(expect.arrayContaining(FREE))
  })

  it('a lock file with other content is refused by name', async () => {
    const { path } = setup()
    await (await openDataDir(path)).release()
    writeFileSync(join(path, 'lock'), 'damaged '.repeat(200))
    await expect(openDataDir(path)).rejects.toMatchObject({
      code: 'DATA_DIR_DAMAGED',
      message: expect.stringContaining(join(path, 'lock')),
    })
  })
})

it('the run file of a dead process is ignored, and the next start replaces it', async () => {
  const { path } = setup()
  const first = await openDataDir(path)
  expect(first.wasKilled).toBe(false)
  await first.release()
  writeFileSync(join(path, 'run.json'), JSON.stringify(RUN))
  expect(readRunFile(path)).toBeUndefined()
  const dataDir = await openDataDir(path)
  expect(dataDir.wasKilled).toBe(true)
  expect(readRunFile(path)).toBeUndefined()
  await dataDir.release()
})
