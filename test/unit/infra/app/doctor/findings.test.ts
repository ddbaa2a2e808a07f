// Tests of the checks of a machine and its data directory: messages, hidden secrets and failed checks.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDataDir } from '../../../../../infra/app/data-dir.ts'
import {
  checkDataDir,
  checkFreeSpace,
  checkNode,
  LEAST_NODE,
} from '../../../../../infra/app/doctor/areas.ts'
import {
  checkArea,
  findingsText,
  hasProblem,
  inArea,
  notChecked,
  ok,
  problem,
  warning,
  withoutSecrets,
} from '../../../../../infra/app/doctor/finding.ts'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import { createTemporaryDirectory } from '../../../../support/process/temporary-directory.ts'

const setup = () => {
  const directory = createTemporaryDirectory('doctor')
  onTestFinished(directory.remove)
  return join(directory.path, 'data')
}

const readLevels = (path: string) => checkDataDir(path).map(({ level }) => level)
const describeDataDir = (path: string) => findingsText(checkDataDir(path))

describe('a finding', () => {
  it('names an address by its host only', () => {
    expect(
      withoutSecrets('no answer from https://me:pw@rpc.example.org:443/key/abc?k=1, later'),
    ).toBe('no answer from https://rpc.example.org:443, later')
    expect(withoutSecrets('plain: text, 12:30')).toBe('plain: text, 12:30')
  })

  it('has one line, then a line with the remedy, and all are counted', () => {
    const levels = [ok('a'), warning('b\nb', 'c'), problem('d', 'e'), notChecked('f')]
    const findings = inArea('store', levels)
    const text = findingsText(findings)
    expect(text).toMatch(/^store +ok +a\nstore +warning +b b\n +→ c\nstore +problem +d\n +→ e\n/)
    expect(text).toMatch(/1 problem, 1 warning, 1 not checked$/)
    expect(hasProblem(findings)).toBe(true)
    expect(hasProblem(findings.slice(0, 2))).toBe(false)
  })

  it('is also the result of a check that fails', async () => {
    const never = new AbortController().signal
    const failing = (error: Error) => checkArea(never, () => Promise.reject(error))
    expect(await failing(new AppError('LOG_DAMAGED', 'broken'))).toEqual([
      {
        level: 'problem',
        message: 'broken',
        remedy: expect.stringContaining('LOG_DAMAGED'),
      },
    ])
    expect(await failing(new TypeError('odd'))).toMatchObject([
      { level: 'problem', message: 'odd' },
    ])
    const wrong = new AppError('CONFIG_INVALID', 'wrong:\n  - PORT: "secret" is not right')
    const [finding] = await failing(wrong)
    expect(finding).toMatchObject({ level: 'not checked' })
    expect(finding?.message).not.toContain('secret')
  })
})

describe('the machine', () => {
  it('needs a Node version that package.json allows', () => {
    const text = readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8')
    expect((JSON.parse(text) as { engines: { node: string } }).engines.node).toBe(`>=${LEAST_NODE}`)
    expect(checkNode('20.18.3').level).toBe('problem')
    for (const version of ['20.19.0', '24.1.0']) expect(checkNode(version).level).toBe('ok')
  })

  it('needs free space on its disk', () => {
    expect(checkFreeSpace(50 * 2 ** 30, '/d').level).toBe('ok')
    expect(checkFreeSpace(2 ** 30, '/d').level).toBe('warning')
    expect(checkFreeSpace(2 ** 20, '/d').level).toBe('problem')
  })
})

describe('the data directory', () => {
  it('can be missing or empty', () => {
    const path = setup()
    expect(describeDataDir(path)).toMatch(/does not exist yet\n +→ run "rollcall start"/)
    mkdirSync(path, { mode: 0o700 })
    expect(describeDataDir(path)).toMatch(/warning +it is empty/)
  })

  it('is correct while a Rollcall process uses it, and the finding names that process', async () => {
    const path = setup()
    const { release } = await openDataDir(path)
    expect(readLevels(path)).toEqual(['ok', 'ok', 'ok', expect.any(String)])
    expect(describeDataDir(path)).toContain(`in use by process ${process.pid}`)
    await release()
    expect(describeDataDir(path)).toContain('no process uses it')
  })

  it('is reported if it is not a directory, foreign, garbled, or accessible to others', async () => {
    const path = setup()
    writeFileSync(path, '')
    expect(describeDataDir(path)).toContain('is not a directory')
    const other = setup()
    mkdirSync(other, { mode: 0o700 })
    writeFileSync(join(other, 'letters.txt'), 'mine')
    expect(describeDataDir(other)).toMatch(/problem .*rollcall\.json: the file is missing/)
    const garbled = setup()
    await (await openDataDir(garbled)).release()
    writeFileSync(join(garbled, 'lock'), 'half '.repeat(500))
    chmodSync(garbled, 0o755)
    expect(describeDataDir(garbled)).toMatch(/lock: file is not a database/)
    expect(describeDataDir(garbled)).toMatch(
      /other users can access \S+ \(mode 755\)\n +→ chmod 700/,
    )
  })
})
