// Tests when the schema of a chain is read again: after an upgrade, and after a read that failed.
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import type { AbciAnswer, AbciRequest } from '../../../../ingest/comet/endpoints/node.ts'
import { createFile, encodeFileSet } from '../../../support/chain/schema-files.ts'
import { createSchemas } from '../../../support/chain/schemas.ts'

const VERSION_PATH = '/app/version'

const declare = (name: string): Uint8Array =>
  encodeFileSet(createFile(`${name}.proto`, { messageType: [{ name }] }))

const setup = () => {
  const state = { version: 'v1', files: declare('First'), failures: 0, reads: 0 }
  const readAnswer = (path: string): Uint8Array => {
    if (path === VERSION_PATH) return Buffer.from(state.version)
    state.reads++
    if (state.failures-- > 0) throw new AppError('RPC_INVALID_RESPONSE', 'no response')
    return state.files
  }
  const abciQuery = async ({ path }: AbciRequest): Promise<AbciAnswer> => ({
    kind: 'value',
    value: readAnswer(path),
  })
  return { state, schemas: createSchemas({ abciQuery }) }
}

describe('the schema of a chain', () => {
  it('is read once for each version of the node software', async () => {
    const { state, schemas } = setup()
    await schemas.latest()
    await schemas.latest()
    expect(state.reads).toBe(1)
  })

  it.each([1, 3])(
    'is that of the new version after an upgrade whose first reads failed, here %i',
    async (failures) => {
      const { state, schemas } = setup()
      expect((await schemas.latest())?.messageType('/test.First')).toBeDefined()
      Object.assign(state, { version: 'v2', files: declare('Second'), failures })
      for (let count = 0; count < failures; count++)
        await expect(schemas.latest()).rejects.toThrow('no response')
      expect((await schemas.latest())?.messageType('/test.Second')).toBeDefined()
      expect(state.reads).toBe(failures + 2)
    },
  )

  it('is read again if the version changes back while a new version could not be read', async () => {
    const { state, schemas } = setup()
    await schemas.latest()
    Object.assign(state, { version: 'v2', failures: 1 })
    await expect(schemas.latest()).rejects.toThrow('no response')
    Object.assign(state, { version: 'v1' })
    expect((await schemas.latest())?.messageType('/test.First')).toBeDefined()
  })

  it('stays the previous one if a new version reports files that cannot be used', async () => {
    const { state, schemas } = setup()
    await schemas.latest()
    Object.assign(state, { version: 'v2', files: new Uint8Array() })
    expect((await schemas.latest())?.messageType('/test.First')).toBeDefined()
    expect((await schemas.latest())?.messageType('/test.First')).toBeDefined()
    expect(state.reads).toBe(2)
  })
})
