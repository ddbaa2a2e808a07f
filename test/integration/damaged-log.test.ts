// Damages a log, by name and at many positions. Every damage is refused, or changes nothing that the log returns.

import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EMBEDDED_LOG_FILE, openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { createEntry, readAll } from '../support/log/log-entries.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'

const PAGE_BYTES = 4096
const HEIGHTS = 40

const createPath = () => {
  const directory = createTemporaryDirectory('log')
  onTestFinished(directory.remove)
  const path = join(directory.path, 'log')
  return { directory, path, file: join(path, EMBEDDED_LOG_FILE) }
}

const readContent = async (path: string): Promise<string> => {
  const log = await openEmbeddedLog({ path })
  try {
    const hash = createHash('sha256')
    for (const { offset, height, value } of await readAll(log)) {
      hash.update(`${offset} ${height} `).update(value)
    }
    for (let height = 0; height <= HEIGHTS + 1; height++) {
      hash.update(` ${await log.offsetOfHeight(height)}`)
    }
    return hash.digest('hex')
  } finally {
    await log.close()
  }
}

/** A closed log with small records, and some that are larger than a page. */
const fillLog = async () => {
  const filled = createPath()
  const log = await openEmbeddedLog({ path: filled.path })
  for (let height = 1; height <= HEIGHTS; height++) {
    const texts = Array.from({ length: 9 }, (_, at) => `fact ${at} of ${height} `.repeat(12))
    const large = height % 10 === 0 ? ['large'.repeat(3000)] : []
    await log.append([...texts, ...large].map((text) => createEntry(height, text)))
  }
  await log.close()
  return filled
}

const setup = async () => {
  const { directory, path, file } = await fillLog()
  const content = readFileSync(file)
  const openDamaged = async (name: string, damage: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(content)
    damage(bytes)
    const damagedPath = join(directory.path, name)
    const damagedFile = join(damagedPath, EMBEDDED_LOG_FILE)
    mkdirSync(damagedPath)
    writeFileSync(damagedFile, bytes)
    const read = await readContent(damagedPath).catch((error) => error.code)
    const isUnchanged = readFileSync(damagedFile).equals(bytes)
    rmSync(damagedPath, { recursive: true })
    return { read, isUnchanged }
  }
  return { content, expected: await readContent(path), openDamaged }
}

const flip = (position: number, mask: number) => (bytes: Buffer) => {
  bytes[position] = (bytes[position] as number) ^ mask
}

/** One bit in every few bytes, each time another one. */
const listFlips = (from: number, to: number, step: number) =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, at) =>
    flip(from + at * step, 1 << (at % 8)),
  )

describe('a log with a damage at any position', () => {
  it('is refused and not changed, or returns what it did', {
    tags: 'infra:damaged-log-is-refused',
  }, async () => {
    const { content, expected, openDamaged } = await setup()
    const pages = content.length / PAGE_BYTES
    expect(pages).toBeGreaterThan(20)
    const flips = [
      ...listFlips(0, 130, 1),
      ...listFlips(PAGE_BYTES, content.length, 509),
      ...Array.from({ length: pages }, (_, at) =>
        flip(at * PAGE_BYTES + ((at * 3) % 8), 1 << (at % 8)),
      ),
    ]
    const zeroed = Array.from({ length: pages }, (_, at) => (bytes: Buffer) => {
      bytes.fill(0, at * PAGE_BYTES, (at + 1) * PAGE_BYTES)
    })
    const damages = [...flips, ...zeroed]
    const outcomes = { refused: 0, harmless: 0 }
    for (const [at, damage] of damages.entries()) {
      const { read, isUnchanged } = await openDamaged(String(at), damage)
      if (read === 'LOG_DAMAGED') expect(isUnchanged).toBe(true)
      else expect(read, `${at}`).toBe(expected)
      outcomes[read === expected ? 'harmless' : 'refused']++
    }
    expect(outcomes.refused).toBeGreaterThan(damages.length / 3)
    expect(outcomes.harmless).toBeGreaterThan(0)
  })
})

const computeHash = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex')

const change = (file: string, edit: (content: Buffer) => void) => {
  const content = readFileSync(file)
  edit(content)
  writeFileSync(file, content)
}

/** What no flipped bit and no lost page is, or leaves every record readable. */
const DAMAGES: Record<string, (file: string) => void> = {
  'is empty': (file) => truncateSync(file, 0),
  'lacks its last page': (file) => truncateSync(file, statSync(file).size - PAGE_BYTES),
  'is truncated in the middle of a header': (file) => truncateSync(file, 50),
  'is a text': (file) => writeFileSync(file, 'not a log\n'.repeat(1000)),
  'has two pages exchanged': (file) =>
    change(file, (content) => {
      const page = Buffer.from(content.subarray(5 * PAGE_BYTES, 6 * PAGE_BYTES))
      content.copyWithin(5 * PAGE_BYTES, 9 * PAGE_BYTES, 10 * PAGE_BYTES)
      page.copy(content, 9 * PAGE_BYTES)
    }),
  'has an unknown format': (file) => change(file, (content) => content.writeUInt32BE(99, 60)),
  'is a file of another application': (file) =>
    change(file, (content) => content.writeUInt32BE(0x01020304, 68)),
}

describe('a damaged log', () => {
  it.each(Object.entries(DAMAGES))(
    'that %s is refused by name, and no byte is changed',
    { tags: 'infra:damaged-log-is-refused' },
    async (_, damage) => {
      const { path, file } = await fillLog()
      damage(file)
      const before = computeHash(file)
      await expect(openEmbeddedLog({ path })).rejects.toMatchObject({
        code: 'LOG_DAMAGED',
        message: expect.stringContaining(file),
      })
      expect(computeHash(file)).toBe(before)
    },
  )

  it('with commits in its journal is refused, and they stay there', {
    tags: 'infra:damaged-log-is-refused',
  }, async () => {
    const [filled, { path, file }] = [await fillLog(), createPath()]
    const log = await openEmbeddedLog({ path: filled.path })
    await log.append([createEntry(HEIGHTS + 1, 'only in the journal')])
    mkdirSync(path)
    for (const end of ['', '-wal']) copyFileSync(`${filled.file}${end}`, `${file}${end}`)
    await log.close()
    change(file, (content) => flip(content.lastIndexOf('of 37 '), 1)(content))
    const before = [computeHash(file), computeHash(`${file}-wal`)]
    await expect(openEmbeddedLog({ path })).rejects.toMatchObject({ code: 'LOG_DAMAGED' })
    // A closed connection lives until its statements are collected.
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    await nextTurn()
    runInNewContext('gc')()
    expect([computeHash(file), computeHash(`${file}-wal`)]).toEqual(before)
  })

  it('without its file is refused, and no new file is created', {
    tags: 'infra:damaged-log-is-refused',
  }, async () => {
    const { path, file } = await fillLog()
    rmSync(file)
    writeFileSync(`${file}-wal`, '')
    await expect(openEmbeddedLog({ path })).rejects.toMatchObject({ code: 'LOG_DAMAGED' })
    expect(() => statSync(file)).toThrow('ENOENT')
  })

  it('fails the read of a record that was damaged while no process checked it', async () => {
    const { path, file } = await fillLog()
    change(file, (content) => flip(content.lastIndexOf('of 37 '), 1)(content))
    const reader = await openEmbeddedLog({ path, readOnly: true })
    await expect(readAll(reader)).rejects.toMatchObject({ code: 'LOG_DAMAGED' })
    await reader.close()
  })
})
