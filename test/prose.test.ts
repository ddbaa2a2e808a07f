// Every page of the project uses plain words, and its links lead somewhere. `npm run prose` runs this file.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { linkProblems } from './prose/links.ts'
import { wordProblems } from './prose/words.ts'
import { readSources, type SourceFile } from './support/source/source-tree.ts'

/** Templates of served documents, whose links begin at the address of the deployment. */
const TEMPLATES = 'api/discovery/assets/'

const topLevelPages = (): SourceFile[] =>
  readdirSync('.')
    .filter((path) => path.endsWith('.md'))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

const pages = [...topLevelPages(), ...readSources().filter(({ path }) => path.endsWith('.md'))]

describe('the pages', () => {
  it('are those of the top level and of every package', () => {
    expect(pages.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'api/README.md', 'test/README.md']),
    )
  })

  it('have no word that has a plainer one', () => {
    expect(pages.flatMap(wordProblems)).toEqual([])
    const text = 'One.\nThe alert is mended, `nobody`\n```\nnobody\n```\n'
    expect(wordProblems({ path: 'a.md', text })).toEqual(['a.md:2 “mended”: write fix'])
  })

  it('link to files and headings that exist', () => {
    const own = pages.filter(({ path }) => !path.startsWith(TEMPLATES))
    expect(own.flatMap(linkProblems)).toEqual([])
    const planted = (text: string) => linkProblems({ path: 'api/README.md', text })
    expect(planted('[x](no.ts) [x](../README.md#no-such) `[x](no.ts)` [x](view/)')).toEqual([
      'api/README.md links to api/no.ts, which does not exist',
      'api/README.md links to #no-such, which README.md does not have',
    ])
  })
})
