// What verifies proofs can be read, built and run without the rest of Rollcall, in a browser too.
import { describe, expect, it } from 'vitest'
import { findImports, readSources } from '../../../support/source/source-tree.ts'

const FOLDER = 'infra/proof/'

describe('the verifier of proofs', () => {
  it('imports its own files and packages alone, and nothing of Node', () => {
    const files = readSources().filter(({ path }) => path.startsWith(FOLDER))
    expect(files.length).toBeGreaterThan(8)
    for (const file of files) {
      const foreign = findImports(file).filter((name) => /^node:|^\.\.|^\.\/.*\//.test(name))
      expect(foreign, file.path).toEqual([])
    }
  })
})
