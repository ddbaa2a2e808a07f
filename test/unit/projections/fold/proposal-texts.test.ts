// Tests which title, summary, authors and forum link a proposal has, from its own texts and from its metadata.
import { describe, expect, it } from 'vitest'
import { textColumns } from '../../../../projections/fold/proposal-texts.ts'

const read = (metadata: unknown, own: { title?: string; summary?: string } = {}) =>
  textColumns({
    title: '',
    summary: '',
    ...own,
    metadata: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  })

const NONE = {
  title: '',
  titleSource: '',
  summary: '',
  summarySource: '',
  authors: [],
  forumUrl: null,
}

const FULL = {
  title: 'Lower the inflation',
  authors: ['A', 'B'],
  summary: 'Why.',
  details: 'Long.',
  proposal_forum_url: 'https://forum.example.org/t/1',
  vote_option_context: 'Yes means …',
}

const READ = {
  title: 'Lower the inflation',
  titleSource: 'metadata',
  summary: 'Why.',
  summarySource: 'metadata',
  authors: ['A', 'B'],
  forumUrl: 'https://forum.example.org/t/1',
}

describe('the texts of a proposal', () => {
  it.each([
    ['JSON', JSON.stringify(FULL)],
    ['JSON with space around it', `\uFEFF\n ${JSON.stringify(FULL, null, 2)}\n`],
    ['JSON within a JSON string', JSON.stringify(JSON.stringify(FULL))],
  ])('are those of metadata in %s if the proposal has none', (_, metadata) => {
    expect(read(metadata)).toEqual(READ)
  })

  it.each(['', ' ', '\n\t', '\u200b\u00a0'])('of metadata replace the blank text %j', (blank) => {
    expect(read(FULL, { title: blank, summary: blank })).toEqual(READ)
  })

  it('stay those of the proposal if it has them, each for itself', () => {
    expect(read(FULL, { title: 'Own', summary: 'My own.' })).toEqual({
      ...READ,
      title: 'Own',
      titleSource: 'proposal',
      summary: 'My own.',
      summarySource: 'proposal',
    })
    expect(read(FULL, { title: 'Own' })).toMatchObject({
      title: 'Own',
      titleSource: 'proposal',
      summary: 'Why.',
      summarySource: 'metadata',
    })
  })

  it.each([
    ['nothing', ''],
    ['a link', 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'],
    ['plain text', 'Lower the inflation'],
    ['base64 of JSON', Buffer.from(JSON.stringify(FULL)).toString('base64')],
    ['broken JSON', '{"title": "Lower'],
    ['a list', '["Lower the inflation"]'],
    ['null', 'null'],
    ['a number', '7'],
    ['values of other types', { title: 7, summary: ['x'], authors: 5, proposal_forum_url: {} }],
    ['null values', { title: null, summary: null, authors: null, proposal_forum_url: null }],
    ['blank values', { title: ' ', summary: '\n', authors: ' ', proposal_forum_url: ' ' }],
    ['other members', { name: 'x', constructor: 'x' }],
    ['JSON that is too deep', '['.repeat(200_000)],
  ])('are none with %s as metadata', (_, metadata) => {
    expect(read(metadata)).toEqual(NONE)
  })

  it('have authors that are one text, a list with other values, or objects with a name', () => {
    const authorsOf = (authors: unknown) => read({ authors }).authors
    expect(authorsOf('A and B')).toEqual(['A and B'])
    expect(authorsOf(['A', null, 5, '', { name: 'B' }, { name: 7 }, ['C']])).toEqual(['A', 'B'])
    expect(authorsOf(Array.from({ length: 100 }, () => 'x'.repeat(5_000)))).toHaveLength(20)
    expect(authorsOf(['x'.repeat(5_000)])[0]).toHaveLength(257)
  })

  it.each(['proposal_forum_uri', 'proposalForumUrl', 'Proposal_Forum_URL'])(
    'have a forum link in %s',
    (key) => {
      expect(read({ [key]: 'https://forum.example.org/t/2' }).forumUrl).toBe(
        'https://forum.example.org/t/2',
      )
    },
  )

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'forum.example.org/t/1',
    '//forum.example.org',
    'https:forum.example.org',
    'https://user:secret@forum.example.org',
    'https://a b.example.org',
    'https://forum.example.org/\u202etxt',
    `https://forum.example.org/${'x'.repeat(5_000)}`,
  ])('have no forum link in %s', (url) => {
    expect(read({ proposal_forum_url: url }).forumUrl).toBeNull()
  })

  it('have the details of the metadata as the summary if there is no other', () => {
    expect(read({ title: 'T', summary: '', details: 'Long.' })).toMatchObject({
      summary: 'Long.',
      summarySource: 'metadata',
    })
  })
})
