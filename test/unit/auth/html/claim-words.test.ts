// Every code that the claim page can be answered with has words, and so has every code that its own scripts give.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CLAIM_WORDS, claimWordsModule } from '../../../../auth/html/claim-words.ts'
import { findImports, readSources, type SourceFile } from '../../../support/source/source-tree.ts'

const ASSETS = new URL('../../../../auth/html/assets/', import.meta.url)
/** As the endpoints write a code, and as the scripts do. */
const OF_SERVICE = /(?:new AuthError\(\s*|refuse\(|code: )'(\w+)'/g
const OF_PAGE = /(?:new Refusal\('(\w+)|(?:return|\?|\[) ?'([a-z]+(?:_[a-z]+)+))'/g

const codesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, code, other]) => code ?? other ?? '')

const sources = new Map(readSources().map((file): [string, SourceFile] => [file.path, file]))

/** A file of this package and all that it imports of it. */
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

describe('the words of the claim page', () => {
  it('are there for every code that its endpoints can answer', () => {
    const files = reachedFrom('auth/routes/delegation.ts')
    expect(files).toContain('auth/claim-attempt.ts')
    const codes = [...files].flatMap((path) => codesIn(sources.get(path)?.text ?? '', OF_SERVICE))
    // Of the endpoints that read forms; the page sends none.
    const answered = new Set(codes.filter((code) => code !== 'invalid_client'))
    for (const code of ['claim_superseded', 'address_mismatch', 'rate_limited', 'foreign_origin']) {
      expect(answered).toContain(code)
    }
    expect([...answered].filter((code) => !(code in CLAIM_WORDS))).toEqual([])
  })

  it('are there for every code that its scripts give, and none is left over', () => {
    const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'))
    const texts = scripts.map((name) => readFileSync(new URL(name, ASSETS), 'utf8'))
    const given = new Set(texts.flatMap((text) => codesIn(text, OF_PAGE)))
    expect(given).toContain('wallet_locked')
    expect([...given].filter((code) => !(code in CLAIM_WORDS))).toEqual([])
    const ofPage = Object.keys(CLAIM_WORDS).filter((code) => /^(?:wallet|no|answer)_/.test(code))
    expect(ofPage.filter((code) => !given.has(code))).toEqual([])
  })

  it('say what happened and what to do next, in sentences without the code', () => {
    for (const [code, { what, next }] of Object.entries(CLAIM_WORDS)) {
      expect(what, code).toMatch(/^[A-Z][^_]+\.$/)
      expect(next, code).toMatch(/^[A-Z].+\.$/)
      expect(what.length, code).toBeLessThan(110)
    }
  })

  it('reach the page as a module that is the table', async () => {
    const address = `data:text/javascript,${encodeURIComponent(claimWordsModule())}`
    expect((await import(address)).WORDS).toEqual(CLAIM_WORDS)
  })
})
