// Services that start together for the first time use one signing key, and their files are private.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addFirstKey, addKey, createKeyDirectory } from '../../auth/keys/key-store.ts'
import { openDataDir, resolveAuthPaths } from '../../infra/app/data-dir/data-dir.ts'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { createFileAtomically, writeFileAtomically } from '../../infra/base/runtime/atomic-file.ts'
import { createAuthBackend, registerAnonymously, useAuthRigs } from '../support/auth/auth-rig.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'

const setup = useAuthRigs()

const emptyDirectory = () => {
  const directory = createTemporaryDirectory('first-start')
  onTestFinished(directory.remove)
  return directory.path
}

describe('several auth services that start at once without a key', () => {
  it('create one key, and each accepts signatures of the others from the first request', async () => {
    const backend = await createAuthBackend({ ownKeys: true })
    const rigs = await Promise.all([setup({ backend }), setup({ backend }), setup({ backend })])
    expect(readdirSync(backend.keysPath)).toHaveLength(1)
    for (const issuer of rigs) {
      const { access_token: token } = await registerAnonymously(issuer)
      for (const verifier of rigs) expect((await verifier.bearer(token)).ok).toBe(true)
    }
  })

  it('keep the key of the first one, and a key that is added later signs later', async () => {
    const keys = join(emptyDirectory(), 'keys')
    const first = await addFirstKey(keys, 1_000)
    expect(await addFirstKey(keys, 2_000)).toBeUndefined()
    await addKey(keys, { nowMs: 3_000, signsFromMs: 3_000 })
    const kids = (await createKeyDirectory(keys).load()).map(({ kid }) => kid)
    expect([kids[0], kids.length]).toEqual([first?.kid, 2])
  })
})

describe('an atomically written file', () => {
  it('is created by one of several writers, and none leaves other files', () => {
    const directory = emptyDirectory()
    const file = join(directory, 'a.json')
    expect([1, 2, 3].map((text) => createFileAtomically(file, String(text)))).toEqual([
      true,
      false,
      false,
    ])
    writeFileAtomically(file, '4')
    expect(readdirSync(directory)).toEqual(['a.json'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

const modesIn = (path: string) => [
  statSync(path).mode & 0o777,
  ...readdirSync(path).map((name) => statSync(join(path, name)).mode & 0o777),
]

describe('the embedded logs', () => {
  it('are readable only for their owner, even in a directory that others can read', async () => {
    const umask = process.umask(0o022)
    onTestFinished(() => void process.umask(umask))
    const { path, logPath, agentsLogPath, release } = await openDataDir(emptyDirectory())
    onTestFinished(release)
    expect(agentsLogPath).toBe(resolveAuthPaths(path).agentsLogPath)
    for (const options of [{ path: logPath }, { path: agentsLogPath, shared: true }]) {
      const log = await openEmbeddedLog(options)
      await log.append([{ height: 1, timeMs: 0, value: new Uint8Array([1]) }])
      expect(modesIn(options.path)).toEqual([0o700, 0o600, 0o600])
      await log.close()
    }
  })
})
