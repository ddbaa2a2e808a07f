// Damages a log at many positions. Every damage is refused, or changes nothing that the log returns; none ends the process.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { checkLogFile } from '../../infra/base/log/log-file-check.ts'
import { createEntry, readAll } from '../support/log/event-log-contract.ts'
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

const setup = async () => {
  const directory = createTemporaryDirectory('log')
  onTestFinished(directory.remove)
  const path = join(directory.path, 'log')
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
    timeout: 120_000,
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
    const directory = createTemporaryDirectory('log')
    onTestFinished(directory.remove)
    const path = join(directory.path, 'log')
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
    const directory = createTemporaryDirectory('log')
    onTestFinished(directory.remove)
    const path = join(directory.path, 'log')
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
