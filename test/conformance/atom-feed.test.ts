// Checks the feed of proposals with Python's XML parser as an independent reader.

import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { atomFeed } from '../../api/feed/atom.ts'
import { BY_PROPOSER } from '../../api/headline.ts'
import { shownList, shownProposal } from '../support/api/shown-proposals.ts'

const READ = `
import json, sys, xml.etree.ElementTree as tree
atom = '{http://www.w3.org/2005/Atom}'
def read(element):
    return {
        'id': element.findtext(atom + 'id'),
        'title': element.findtext(atom + 'title'),
        'updated': element.findtext(atom + 'updated'),
        'author': element.findtext(atom + 'author/' + atom + 'name'),
        'content': element.findtext(atom + 'content'),
        'links': {l.get('rel') + ' ' + l.get('type'): l.get('href') for l in element.findall(atom + 'link')},
    }
root = tree.fromstring(sys.stdin.buffer.read())
assert root.tag == atom + 'feed', root.tag
json.dump({**read(root), 'entries': [read(e) for e in root.findall(atom + 'entry')]}, sys.stdout)
`

type ParsedElement = {
  id: string
  title: string
  updated: string
  author: string | null
  content: string | null
  links: Record<string, string>
}

const parse = (feed: string): ParsedElement & { entries: ParsedElement[] } =>
  JSON.parse(execFileSync('python3', ['-c', READ], { input: feed, encoding: 'utf8' }))

const ORIGIN = 'https://gov.example.org'
const EVERY_CONTROL = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).join('')

it('a parser finds every entry with its links, times and texts', () => {
  const text = `]]><script>alert(1)</script><!-- & &amp; </entry>${EVERY_CONTROL}\ud800\ufffe\uffff 投票 🗳️`
  const hostile = shownProposal({ proposalId: '8', title: text, summary: text, proposer: null })
  const list = shownList([hostile, shownProposal()], {
    links: { next: '/api/proposals?status=passed&q=%3C%26%22&page=1' },
  })
  const feed = parse(atomFeed(list, { baseUrl: '', origin: ORIGIN }))
  expect(feed.links).toMatchObject({
    'self application/atom+xml': `${ORIGIN}/feed.atom?page=0`,
    'next application/atom+xml': `${ORIGIN}/feed.atom?status=passed&q=%3C%26%22&page=1`,
    'alternate text/html': `${ORIGIN}/proposals`,
  })
  const [first, second] = feed.entries
  expect(first?.title).toMatch(
    /^Proposal 8 · Voting period · “\]\]><script>alert\(1\)<\/script><!-- & &amp; <\/entry>/,
  )
  const shown = EVERY_CONTROL.replace(/[^\t\n\r]/g, '\ufffd')
  expect(first?.content).toBe(
    `${BY_PROPOSER}.\n\n]]><script>alert(1)</script><!-- & &amp; </entry>${shown}\ufffd\ufffd\ufffd 投票 🗳️`,
  )
  expect(first?.author).toBe('not known')
  expect(second?.links).toEqual({
    'alternate text/html': `${ORIGIN}/proposals/7`,
    'alternate application/json': `${ORIGIN}/api/proposals/7`,
  })
  const times = [feed, ...feed.entries].map(({ updated }) => updated)
  expect(times).toEqual(Array(3).fill('2026-11-20T06:00:00.000Z'))
  expect(new Set([feed, ...feed.entries].map(({ id }) => id)).size).toBe(3)
})
