// The title, summary, authors and forum link of a proposal. Many proposals have them only in their metadata: as JSON in the
// convention of x/gov, with any type of value. Pure.
import { boundText, isBlank } from '../../ingest/contract/bounds.ts'
import type { ProposalState } from '../../ingest/contract/facts.ts'
import { isJsonObject } from '../../ingest/contract/json.ts'
import type { ProposalRow } from '../contract/tables/proposals.ts'
import { isWebLink } from '../contract/web-link.ts'

type Metadata = ReadonlyMap<string, unknown>

const MAX_AUTHORS = 20
const MAX_AUTHOR_BYTES = 256

/** `proposal_forum_url`, `proposalForumUrl` and `Proposal_Forum_URL` are one key. */
const normalizeKey = (key: string): string => key.replaceAll('_', '').toLowerCase()

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Empty if the metadata are not a JSON object, plain or as a JSON string. */
const readMetadata = (metadata: string): Metadata => {
  const json = parseJson(metadata.replace(/^\uFEFF/, ''))
  const value = typeof json === 'string' ? parseJson(json) : json
  if (!isJsonObject(value)) return new Map()
  return new Map(Object.entries(value).map(([key, member]) => [normalizeKey(key), member]))
}

/** The first of these members that is a text. */
const findText = (metadata: Metadata, ...keys: readonly string[]): string =>
  keys
    .map((key) => metadata.get(key))
    .filter((text) => typeof text === 'string')
    .find((text) => !isBlank(text)) ?? ''

/** A text, or a list of texts or of objects with a name. */
const readAuthors = (metadata: Metadata): string[] =>
  [metadata.get('authors') ?? metadata.get('author')]
    .flat()
    .map((author) => (isJsonObject(author) ? author['name'] : author))
    .filter((author) => typeof author === 'string')
    .filter((author) => !isBlank(author))
    .slice(0, MAX_AUTHORS)
    .map((author) => boundText(author, MAX_AUTHOR_BYTES))

const readForumUrl = (metadata: Metadata): string | null => {
  const url = findText(metadata, 'proposalforumurl', 'proposalforumuri').trim()
  return isWebLink(url) ? url : null
}

type Source = ProposalRow['titleSource']

const choose = (own: string, other: string): [text: string, source: Source] =>
  isBlank(own) && other !== '' ? [other, 'metadata'] : [own, isBlank(own) ? '' : 'proposal']

type TextColumns = Pick<
  ProposalRow,
  'title' | 'titleSource' | 'summary' | 'summarySource' | 'authors' | 'forumUrl'
>

export const textColumns = (
  state: Pick<ProposalState, 'title' | 'summary' | 'metadata'>,
): TextColumns => {
  const metadata = readMetadata(state.metadata)
  const [title, titleSource] = choose(state.title, findText(metadata, 'title'))
  const [summary, summarySource] = choose(state.summary, findText(metadata, 'summary', 'details'))
  return {
    title,
    titleSource,
    summary,
    summarySource,
    authors: readAuthors(metadata),
    forumUrl: readForumUrl(metadata),
  }
}
