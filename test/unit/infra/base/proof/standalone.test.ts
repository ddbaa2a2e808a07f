// Tests that the proof verifier works without the rest of Rollcall, also in a browser.
import { describe, expect, it } from 'vitest'
import { findImports, readSources } from '../../../../support/source/source-tree.ts'

const FOLDER = 'infra/base/proof/'

describe('the verifier of proofs', () => {
  it('imports only its own files and packages, and nothing of Node', () => {
    const files = readSources().filter(({ path }) => path.startsWith(FOLDER))
    expect(files.length).toBeGreaterThan(8)
    for (const file of files) {
      const foreign = findImports(file).filter((name) => /^node:|^\.\.|^\.\/.*\//.test(name))
      expect(foreign, file.path).toEqual([])
    }
  })
})
