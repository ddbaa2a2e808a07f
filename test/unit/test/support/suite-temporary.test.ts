// Tests of where a run creates its temporary directories.
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseTemporaryParent } from '../../../support/suite/suite-temporary.ts'

beforeEach(() => void vi.stubEnv('TMPDIR', undefined))
afterEach(() => void vi.unstubAllEnvs())

describe('the temporary directories of a run', () => {
  it('are in memory if the machine has files in memory', () => {
    expect(chooseTemporaryParent(1)).toBe(existsSync('/dev/shm') ? '/dev/shm' : tmpdir())
  })

  it('are in the directory of the system without enough memory', () => {
    expect(chooseTemporaryParent(Number.MAX_SAFE_INTEGER)).toBe(tmpdir())
  })

  it('are where TMPDIR says', () => {
    vi.stubEnv('TMPDIR', '/var/tmp')
    expect(chooseTemporaryParent(0)).toBe('/var/tmp')
  })
})
