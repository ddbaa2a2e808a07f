// Tests of signing keys: rotation, validity, file permissions, and errors that show no key.
import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  addKey,
  createKeyDirectory,
  type KeyGeneration,
  readKeysText,
} from '../../../../auth/keys/key-files.ts'
import { createKeyRing, keyStates } from '../../../../auth/keys/key-ring.ts'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'
import { createTemporaryDirectory } from '../../../support/process/temporary-directory.ts'

const setup = () => {
  const directory = createTemporaryDirectory('keys')
  onTestFinished(directory.remove)
  return join(directory.path, 'keys')
}

const generation = (kid: string, signsFromMs: number) => ({ kid, signsFromMs }) as KeyGeneration
const statesAt = (nowMs: number, keys: KeyGeneration[]) =>
  keyStates(keys, nowMs, 100).map(({ generation: { kid }, state }) => `${kid} ${state}`)

describe('the key ring', () => {
  it('signs with the newest key that is active, and accepts the previous one for a while', () => {
    const keys = [generation('b', 50), generation('a', 0), generation('c', 500)]
    expect(statesAt(10, keys)).toEqual(['a signing', 'b next', 'c next'])
    expect(statesAt(50, keys)).toEqual(['a overlap', 'b signing', 'c next'])
    expect(statesAt(149, keys)).toEqual(['a overlap', 'b signing', 'c next'])
    expect(statesAt(150, keys)).toEqual(['a retired', 'b signing', 'c next'])
    expect(statesAt(700, keys)).toEqual(['a retired', 'b retired', 'c signing'])
  })

  it('signs with the first key if no key is active yet', () => {
    expect(statesAt(0, [generation('a', 10), generation('b', 20)])).toEqual(['a signing', 'b next'])
  })

  it('publishes a key before it signs, loads new keys, and keeps its keys if a read fails', async () => {
    const path = setup()
    const clock = createFakeClock({ startMs: 1_000_000, autoAdvance: false })
    const { logger, lines } = recordingLogger()
    const first = await addKey(path, { nowMs: clock.now(), signsFromMs: clock.now() })
    const { load } = createKeyDirectory(path)
    const ring = await createKeyRing({ load, clock, logger, overlapMs: 5_000 })
    const kids = () => ring.keySet()?.jwks.keys.map(({ kid }) => kid)
    const before = ring.keySet()
    const next = await addKey(path, { nowMs: clock.now(), signsFromMs: clock.now() + 1_000 })
    await ring.refresh()
    expect(ring.signing().kid).toBe(first.kid)
    expect(kids()).toContain(next.kid)
    expect(ring.keySet()).not.toBe(before)
    clock.advance(1_000)
    expect(ring.signing().kid).toBe(next.kid)
    expect(kids()).toContain(first.kid)
    clock.advance(5_000)
    expect(kids()).not.toContain(first.kid)

    const [file] = readdirSync(path)
    writeFileSync(join(path, file as string), '{')
    await ring.refresh()
    expect(ring.signing().kid).toBe(next.kid)
    expect(lines.map(({ msg }) => msg)).toEqual(['failed to read the signing keys again'])
    for (const name of readdirSync(path)) rmSync(join(path, name))
    await ring.refresh()
    expect(ring.signing().kid).toBe(next.kid)
  })
})

describe('a key ring that is followed', () => {
  const READS = 4

  /** The second read fails; the signal fires at the last one. */
  const follow = async (failure: Error) => {
    const { logger, lines } = recordingLogger()
    const controller = new AbortController()
    let reads = 0
    const load = async () => {
      reads++
      if (reads === READS) controller.abort()
      if (reads === 2) throw failure
      return [generation('a', 0)]
    }
    const clock = createFakeClock()
    const ring = await createKeyRing({ load, clock, logger, overlapMs: 5_000 })
    return { following: ring.follow(controller.signal), lines, reads: () => reads }
  }

  it('continues after keys that cannot be read', async () => {
    const { following, lines, reads } = await follow(
      new AppError('KEYS_UNUSABLE', 'cannot read the keys'),
    )
    await following
    expect(reads()).toBe(READS)
    expect(lines.map(({ msg }) => msg)).toEqual(['failed to read the signing keys again'])
  })

  it('fails with a defect', async () => {
    const { following, lines } = await follow(new TypeError('planted'))
    await expect(following).rejects.toThrow('planted')
    expect(lines).toEqual([])
  })
})

describe('the key files', () => {
  it('must be readable by their owner only, and the error suggests a fix', {
    tags: 'auth:keys-are-private',
  }, async () => {
    const path = setup()
    await addKey(path, { nowMs: 0, signsFromMs: 0 })
    const file = join(path, readdirSync(path)[0] as string)
    expect([statSync(path).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600])
    const load = () => createKeyDirectory(path).load()
    expect(await load()).toHaveLength(1)
    for (const mode of [0o640, 0o604, 0o660]) {
      chmodSync(file, mode)
      await expect(load()).rejects.toMatchObject({
        code: 'KEYS_EXPOSED',
        message: expect.stringContaining(`chmod 600 ${file}`),
      })
    }
    chmodSync(file, 0o400)
    chmodSync(path, 0o755)
    await expect(load()).rejects.toThrow(`chmod 700 ${path}`)
  })

  it('are refused while other users can read them, also after they were read', {
    tags: 'auth:keys-are-private',
  }, async () => {
    const path = setup()
    const { kid } = await addKey(path, { nowMs: 0, signsFromMs: 0 })
    const file = join(path, readdirSync(path)[0] as string)
    const { load } = createKeyDirectory(path)
    const { logger, lines } = recordingLogger()
    const ring = await createKeyRing({ load, clock: createFakeClock(), logger, overlapMs: 1 })
    for (const mode of [0o644, 0o601, 0o620]) {
      expect(ring.signing().kid).toBe(kid)
      chmodSync(file, mode)
      await ring.refresh()
      expect(() => ring.signing()).toThrow('no private key')
      expect(ring.keySet()).toBeUndefined()
      expect(JSON.stringify(lines.pop())).toContain(`chmod 600 ${file}`)
      chmodSync(file, 0o600)
      await ring.refresh()
    }
  })

  it('are read again if they were replaced, also by a file with the same time of its content', async () => {
    const path = setup()
    await addKey(path, { nowMs: 0, signsFromMs: 0 })
    const file = join(path, readdirSync(path)[0] as string)
    const { load } = createKeyDirectory(path)
    const [first] = await load()
    const { atime, mtime } = statSync(file)
    const other = setup()
    await addKey(other, { nowMs: 0, signsFromMs: 0 })
    renameSync(join(other, readdirSync(other)[0] as string), file)
    utimesSync(file, atime, mtime)
    const [second] = await load()
    expect(second?.kid).not.toBe(first?.kid)
  })

  it('that cannot be listed are reported with the reason', async () => {
    const path = setup()
    writeFileSync(path, 'no directory', { mode: 0o600 })
    await expect(createKeyDirectory(path).load()).rejects.toMatchObject({
      code: 'KEYS_UNUSABLE',
      message: expect.stringContaining('cannot read the keys: ENOTDIR'),
    })
  })

  it('that are damaged are refused by name, and the error shows none of their content', {
    tags: 'auth:keys-are-private',
  }, async () => {
    const path = setup()
    await addKey(path, { nowMs: 0, signsFromMs: 0 })
    const file = join(path, readdirSync(path)[0] as string)
    const record = JSON.parse(readFileSync(file, 'utf8'))
    const { d } = record.es256 as { d: string }
    const damaged = [
      JSON.stringify(record).slice(0, -5),
      // The error of the parser quotes what follows.
      JSON.stringify(record).replace('"d":"', '"d":'),
      JSON.stringify({ ...record, format: 2 }),
      JSON.stringify({ ...record, es256: { ...record.es256, kid: 'another' } }),
      JSON.stringify({ ...record, es256: record.rs256 }),
      JSON.stringify({ ...record, es256: { ...record.es256, d: `${d.slice(0, -4)}AAAA` } }),
      '[]',
    ]
    for (const text of damaged) {
      writeFileSync(file, text)
      const failure = await createKeyDirectory(path)
        .load()
        .then(() => undefined)
        .catch((error: Error) => error)
      expect(failure).toMatchObject({ code: 'KEYS_UNUSABLE' })
      expect(failure?.message).toContain(file)
      expect(failure?.message).not.toContain(d.slice(0, 8))
    }
  })
})

describe('the keys in the environment', () => {
  it('are whole keys', async () => {
    const path = setup()
    const { record } = await addKey(path, { nowMs: 0, signsFromMs: 0 })
    const [whole] = await readKeysText('AUTH_KEYS', JSON.stringify([record]))
    expect(whole?.kid).toBe(record.es256.kid)
  })

  it.each(['', '{}', '[]', '[7]', 'x'])('%j is refused, and not shown', async (text) => {
    await expect(readKeysText('AUTH_KEYS', text)).rejects.toMatchObject({ code: 'KEYS_UNUSABLE' })
  })
})
