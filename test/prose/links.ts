// Follows the links of the pages to files of the repository and to their headings.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import type { SourceFile } from '../support/source/source-tree.ts'

const LINK = /\]\(([^)\s]+)\)/g
const CODE = /^(```|~~~)[\s\S]*?^\1|`[^`\n]*`/gm

const withoutCode = (text: string): string => text.replace(CODE, '')

/** The fragment of a heading, as GitHub makes it. */
const toFragment = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const readFragments = (page: string): string[] =>
  page
    .replace(/^```[\s\S]*?^```/gm, '')
    .split('\n')
    .filter((line) => /^#{1,6} /.test(line))
    .map((line) => toFragment(line.replace(/^#+ /, '')))

const findProblem = (page: SourceFile, link: string): string | undefined => {
  const [path = '', fragment] = link.split('#', 2)
  const target = path === '' ? page.path : posix.join(posix.dirname(page.path), path)
  if (!existsSync(target)) return `${page.path} links to ${target}, which does not exist`
  if (fragment === undefined || statSync(target).isDirectory()) return undefined
  const hasFragment = readFragments(readFileSync(target, 'utf8')).includes(fragment)
  return hasFragment
    ? undefined
    : `${page.path} links to #${fragment}, which ${target} does not have`
}

/** Links to other hosts are not followed. */
export const linkProblems = (page: SourceFile): string[] =>
  [...withoutCode(page.text).matchAll(LINK)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .flatMap((link) => findProblem(page, link) ?? [])
