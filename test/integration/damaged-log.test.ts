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
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { checkLogFile } from '../../infra/base/log/log-file-check.ts'
import { createEntry, decodeText, readAll } from '../support/log/log-entries.ts'
import { startChild } from '../support/process/child.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'

const PAGE_BYTES = 4096
const HEADER_BYTES = 24
const HEIGHTS = 40

const readContent = async (path: string): Promise<string> => {
  const log = await openEmbeddedLog({ path })
  const hash = createHash('sha256')
  for (const { offset, height, value } of await readAll(log)) {
    hash.update(`${offset} ${height} `).update(value)
  }
  for (let height = 0; height <= HEIGHTS + 1; height++) {
    hash.update(` ${await log.offsetOfHeight(height)}`)
  }
  await log.close()
  return hash.digest('hex')
}

const createPath = () => {
  const directory = createTemporaryDirectory('log')
  onTestFinished(directory.remove)
  const path = join(directory.path, 'log')
  return { directory, path, file: join(path, 'data.mdb') }
}

const setup = async () => {
  const { directory, path } = createPath()
  const log = await openEmbeddedLog({ path })
  for (let height = 1; height <= HEIGHTS; height++) {
    const texts = Array.from({ length: 9 }, (_, at) => `fact ${at} of ${height} `.repeat(12))
    const large = height % 10 === 0 ? ['large'.repeat(3000)] : []
    await log.append([...texts, ...large].map((text) => createEntry(height, text)))
  }
  await log.close()
  const content = readFileSync(join(path, 'data.mdb'))
  const openDamaged = async (name: string, damage: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(content)
    damage(bytes)
    const damagedPath = join(directory.path, name)
    const file = join(damagedPath, 'data.mdb')
    mkdirSync(damagedPath)
    writeFileSync(file, bytes)
    const read = await readContent(damagedPath).catch((error) => error.code)
    return { read, isUnchanged: readFileSync(file).equals(bytes) }
  }
  return { content, expected: await readContent(path), openDamaged }
}

/** One bit in every few bytes, each time another one. */
const listFlips = (from: number, to: number, step: number): [number, number][] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, at) => [
    from + at * step,
    1 << (at % 8),
  ])

const flip = (position: number, mask: number) => (bytes: Buffer) => {
  bytes[position] = (bytes[position] as number) ^ mask
}

describe('a log with a damage at any position', () => {
  it('is refused and not changed, or returns what it did', {
    tags: 'infra:damaged-log-is-refused',
  }, async () => {
    const { content, expected, openDamaged } = await setup()
    const ends = [176, PAGE_BYTES + 176, content.length]
    const flips = [
      ...listFlips(16, ends[0] as number, 3),
      ...listFlips(PAGE_BYTES + 16, ends[1] as number, 3),
      ...listFlips(2 * PAGE_BYTES, content.length, 509),
    ]
    const pages = content.length / PAGE_BYTES
    const headers = Array.from({ length: pages - 2 }, (_, at) =>
      flip((at + 2) * PAGE_BYTES + ((at * 7) % (HEADER_BYTES + 8)), 1 << (at % 8)),
    )
    const zeroed = Array.from({ length: pages }, (_, at) => (bytes: Buffer) => {
      bytes.fill(0, at * PAGE_BYTES, (at + 1) * PAGE_BYTES)
    })
    const damages = [...flips.map(([at, mask]) => flip(at, mask)), ...headers, ...zeroed]
    const outcomes = { refused: 0, harmless: 0 }
    for (const [at, damage] of damages.entries()) {
      const { read, isUnchanged } = await openDamaged(String(at), damage)
      if (read === 'LOG_DAMAGED') expect(isUnchanged).toBe(true)
      else expect(read).toBe(expected)
      outcomes[read === expected ? 'harmless' : 'refused']++
    }
    expect(outcomes.refused).toBeGreaterThan(damages.length / 3)
    expect(outcomes.harmless).toBeGreaterThan(0)
  })
})

describe('a log in use', () => {
  it('has no damage after any append, beside readers of any age', async () => {
    const { path } = createPath()
    const log = await openEmbeddedLog({ path })
    const reader = await openEmbeddedLog({ path, readOnly: true })
    for (let height = 1; height <= 60; height++) {
      const size = (height * height * 37) % (height % 9 === 0 ? 90_000 : 3000)
      const entries = Array.from({ length: 1 + (height % 13) * 4 }, () =>
        createEntry(height % 7 === 0 ? height - 6 : height, 'x'.repeat(size)),
      )
      await log.append(entries)
      if (height % 5 === 0) await reader.last()
      expect(checkLogFile(join(path, 'data.mdb')), `${height}`).toBeUndefined()
    }
    await reader.close()
    await log.close()
  })

  it('opens for readers while another process appends', async () => {
    const { path } = createPath()
    const writer = startChild(import.meta.resolve('../support/log/log-writer.ts'), [path])
    onTestFinished(() => writer.kill())
    for (let height = 1; height <= 10; height++) {
      await writer.line((line) => Number(line['height']) >= height)
      const reader = await openEmbeddedLog({ path, readOnly: true })
      expect((await reader.last())?.height).toBeGreaterThanOrEqual(height)
      await reader.close()
    }
  })
})

const computeHash = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex')

/** A closed log with small records, large records and a second commit. */
const setupFilled = async () => {
  const filled = createPath()
  const log = await openEmbeddedLog({ path: filled.path })
  for (let height = 1; height <= 50; height++) {
    await log.append(
      Array.from({ length: 20 }, () => createEntry(height, `fact of ${height} `.repeat(9))),
    )
  }
  await log.append([createEntry(51, 'big'.repeat(30_000)), createEntry(51, 'end')])
  await log.close()
  return filled
}

const overwrite = (file: string, position: number, bytes: Buffer) => {
  const content = readFileSync(file)
  bytes.copy(content, position)
  writeFileSync(file, content)
}

const createNoise = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 151 + 7) % 256))

const DAMAGES: Record<string, (file: string) => void> = {
  'is empty': (file) => truncateSync(file, 0),
  'is truncated to half': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  'lacks its last page': (file) => truncateSync(file, statSync(file).size - 4096),
  'is truncated in the middle of a header': (file) => truncateSync(file, 100),
  'has entirely different content': (file) => writeFileSync(file, createNoise(50_000)),
  'has a damaged first header': (file) => overwrite(file, 16, createNoise(64)),
  'has a damaged second header': (file) => overwrite(file, 4096, createNoise(200)),
  'has zeros in its middle': (file) =>
    overwrite(file, Math.floor(statSync(file).size / 8192) * 4096, Buffer.alloc(16_384)),
  'has one flipped bit in a small record': (file) => {
    const content = readFileSync(file)
    const at = content.lastIndexOf('fact of 37 ')
    content[at] = (content[at] as number) ^ 1
    writeFileSync(file, content)
  },
  'has one flipped bit in a large record': (file) => {
    const content = readFileSync(file)
    const at = content.indexOf('bigbigbig') + 60_000
    content[at] = (content[at] as number) ^ 0x80
    writeFileSync(file, content)
  },
  'has an unknown format': (file) => overwrite(file, 24 + 4, Buffer.from([99])),
}

describe('a damaged log', () => {
  it.each(Object.entries(DAMAGES))(
    'that %s is refused by name, and no byte is changed',
    { tags: 'infra:damaged-log-is-refused' },
    async (_, damage) => {
      const { path, file } = await setupFilled()
      damage(file)
      const before = computeHash(file)
      await expect(openEmbeddedLog({ path })).rejects.toMatchObject({
        code: 'LOG_DAMAGED',
        message: expect.stringContaining(file),
      })
      expect(computeHash(file)).toBe(before)
    },
  )

  it('without its file is refused, and no new file is created', {
    tags: 'infra:damaged-log-is-refused',
  }, async () => {
    const { path, file } = await setupFilled()
    rmSync(file)
    await expect(openEmbeddedLog({ path })).rejects.toMatchObject({ code: 'LOG_DAMAGED' })
    expect(() => statSync(file)).toThrow('ENOENT')
  })

  it('fails the read of a record that was damaged while the log was open', async () => {
    const { path, file } = await setupFilled()
    const log = await openEmbeddedLog({ path })
    const content = readFileSync(file)
    const at = content.lastIndexOf('fact of 37 ')
    content[at] = (content[at] as number) ^ 1
    writeFileSync(file, content, { flag: 'r+' })
    await expect(readAll(log)).rejects.toMatchObject({ code: 'LOG_DAMAGED' })
    await log.close()
  })

  it('is distinguished from an intact one: a copy of an intact file opens and reads the same', async () => {
    const { path, file } = await setupFilled()
    const copy = createPath()
    mkdirSync(copy.path)
    copyFileSync(file, copy.file)
    const [log, copied] = [
      await openEmbeddedLog({ path }),
      await openEmbeddedLog({ path: copy.path }),
    ]
    expect((await readAll(copied)).map(decodeText)).toEqual((await readAll(log)).map(decodeText))
    await log.close()
    await copied.close()
  })
})
