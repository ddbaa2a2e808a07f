// Services that start together for the first time use one signing key, and their files are private.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addFirstKey, addKey, createKeyDirectory } from '../../auth/keys/key-files.ts'
import { createFileAtomically, writeFileAtomically } from '../../infra/base/runtime/files.ts'
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
