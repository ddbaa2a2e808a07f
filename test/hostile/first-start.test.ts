// Services that start together for the first time use one signing key.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addFirstKey, addKey, createKeyDirectory } from '../../auth/keys/key-files.ts'
import { createAuthBackend, registerAnonymously, useAuthRigs } from '../support/auth/auth-rig.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'

const setup = useAuthRigs()

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
    const directory = createTemporaryDirectory('first-start')
    onTestFinished(directory.remove)
    const keys = join(directory.path, 'keys')
    const first = await addFirstKey(keys, 1_000)
    expect(await addFirstKey(keys, 2_000)).toBeUndefined()
    await addKey(keys, { nowMs: 3_000, signsFromMs: 3_000 })
    const kids = (await createKeyDirectory(keys).load()).map(({ kid }) => kid)
    expect([kids[0], kids.length]).toEqual([first?.kid, 2])
  })
})
