// Tests that every error code of the claim page has a text, for endpoints and scripts.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CLAIM_WORDS, claimWordsModule } from '../../../../auth/html/claim-words.ts'
import { findImports, readSources, type SourceFile } from '../../../support/source/source-tree.ts'

const ASSETS = new URL('../../../../auth/html/assets/', import.meta.url)
/** The two forms in which a code is written: by the endpoints and by the scripts. */
const OF_SERVICE = /(?:new AuthError\(\s*|refuse\(|code: )'(\w+)'/g
const OF_PAGE = /(?:new Refusal\('(\w+)|(?:return|\?|\[) ?'([a-z]+(?:_[a-z]+)+))'/g

const codesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, code, other]) => code ?? other ?? '')

const sources = new Map(readSources().map((file): [string, SourceFile] => [file.path, file]))

/** A file of this package and all its imports within the package. */
const reachedFrom = (path: string, seen = new Set<string>()): Set<string> => {
  const file = sources.get(path)
  if (!file || seen.has(path)) return seen
  seen.add(path)
  const text = file.text.replaceAll(/^import type .*$/gm, '')
  for (const specifier of findImports({ path, text }).filter((each) => each.startsWith('.'))) {
    const target = new URL(specifier, `file:///${path}`).pathname.slice(1)
    if (target.startsWith('auth/')) reachedFrom(target, seen)
  }
  return seen
}

describe('the texts of the claim page', () => {
  it('exist for every code that its endpoints return', () => {
    const files = reachedFrom('auth/routes/delegation.ts')
    expect(files).toContain('auth/claims/claim-attempt.ts')
    const codes = [...files].flatMap((path) => codesIn(sources.get(path)?.text ?? '', OF_SERVICE))
    // Endpoints that read forms return it; the page sends no forms.
    const answered = new Set(codes.filter((code) => code !== 'invalid_client'))
    for (const code of ['claim_superseded', 'address_mismatch', 'rate_limited', 'foreign_origin']) {
      expect(answered).toContain(code)
    }
    expect([...answered].filter((code) => !(code in CLAIM_WORDS))).toEqual([])
  })

  it('exist for every code of its scripts, and for no other', () => {
    const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'))
    const texts = scripts.map((name) => readFileSync(new URL(name, ASSETS), 'utf8'))
    const given = new Set(texts.flatMap((text) => codesIn(text, OF_PAGE)))
    expect(given).toContain('wallet_locked')
    expect([...given].filter((code) => !(code in CLAIM_WORDS))).toEqual([])
    const ofPage = Object.keys(CLAIM_WORDS).filter((code) => /^(?:wallet|no|answer)_/.test(code))
    expect(ofPage.filter((code) => !given.has(code))).toEqual([])
  })

  it('state what happened and what to do next, in sentences without the code', () => {
    for (const [code, { what, next }] of Object.entries(CLAIM_WORDS)) {
      expect(what, code).toMatch(/^[A-Z][^_]+\.$/)
      expect(next, code).toMatch(/^[A-Z].+\.$/)
      expect(what.length, code).toBeLessThan(110)
    }
  })

  it('reach the page as a module with the same table', async () => {
    const address = `data:text/javascript,${encodeURIComponent(claimWordsModule())}`
    expect((await import(address)).WORDS).toEqual(CLAIM_WORDS)
  })
})
