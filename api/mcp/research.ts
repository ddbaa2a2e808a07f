// `search` and `fetch` with the names and shapes that ChatGPT expects of a source that it may cite. A document has the URL of
// a page, and a text of what the page says. Ids are those of `search`.
import { type TObject, Type } from 'typebox'
import { splitWords } from '../read/text-search.ts'
import { lookUpAddress } from '../resources/address.ts'
import { invalidParameters } from '../resources/parameters.ts'
import { findMentionedPools, quoteMoniker, searchPools } from '../resources/pool-search.ts'
import { proposal } from '../resources/proposal.ts'
import { proposals } from '../resources/proposals.ts'
import { describeVote } from '../resources/reading.ts'
import { poolVotes, voterVotes } from '../resources/records.ts'
import { proposalVotes } from '../resources/votes.ts'
import type { Pool } from '../schemas/pool.ts'
import { poolPath, proposalPath, voterPath } from '../view/paths.ts'
import { cut, estimateTokens } from '../words/shortened.ts'
import type { Argument } from './arguments.ts'
import type { McpSources } from './sources.ts'

type Found = { id: string; title: string; url: string }
type Titled = { proposalId: string; title: string }
type Fetched = Found & { text: string; metadata: Readonly<Record<string, string>> }

export type ResearchTool = {
  name: string
  title: string
  description: string
  arguments: readonly Argument[]
  outputSchema: TObject
  run(query: Readonly<Record<string, string>>, sources: McpSources): Promise<object>
}

const MAX_RESULTS = 20
const MAX_NUMBERS = 3
const MAX_WORDS = 3
/** Of the parameter `q`. */
const MAX_WORDED = 200
/** The result is sent twice, as data and as text: together at most 12,000 tokens. */
const MAX_TEXT_TOKENS = 5_300
/** For the text of the proposer, after the votes. */
const MIN_SUMMARY_TOKENS = 400
const MAX_VOTE_PAGES = 3

/** Words of a question, which titles and names rarely have. */
const QUESTION =
  /^(?:how|did|does|do|the|a|an|on|in|of|for|to|is|was|what|which|who|when|why|and|or|by|vote[sd]?|voting|proposals?|prop|validators?|pools?|voters?|delegators?|chain|governance)$/i

const PATHS = { proposal: proposalPath, validator: poolPath, voter: voterPath } as const
type Kind = keyof typeof PATHS

const toFound = (sources: McpSources, kind: Kind, name: string, title: string): Found => ({
  id: `${kind}:${name}`,
  title,
  url: sources.pageUrl(PATHS[kind](name)),
})

const ofProposal = ({ proposalId, title }: Titled, sources: McpSources): Found =>
  toFound(sources, 'proposal', proposalId, `Proposal ${proposalId}: ${title}`)

const ofPool = ({ operatorAddress, moniker }: Pool, sources: McpSources): Found =>
  toFound(sources, 'validator', operatorAddress, `Validator ${moniker.replace(/\s+/g, ' ')}`)

const ofVoter = (address: string, sources: McpSources): Found =>
  toFound(sources, 'voter', address, `Voter ${address}`)

const readProposal = (sources: McpSources, proposalId: string) =>
  sources.read(proposal, { params: { proposalId }, query: {} }, { maxTokens: MAX_TEXT_TOKENS })

const findNumbered = (words: readonly string[], sources: McpSources) => {
  const known = new Set(sources.proposalIds())
  const ids = new Set(words.map((word) => word.replace(/^#/, '')).filter((id) => known.has(id)))
  return Promise.all([...ids].slice(0, MAX_NUMBERS).map((id) => readProposal(sources, id)))
}

/** By all of the text, else by the words that are no question, else by one of these words. */
const findWorded = async (text: string, words: readonly string[], sources: McpSources) => {
  for (const q of new Set([text, words.join(' '), ...words.slice(0, MAX_WORDS)])) {
    if (q === '' || q.length > MAX_WORDED || q.includes('\0')) continue
    const { items } = await sources.read(proposals, { params: {}, query: { q } })
    if (items.length > 0) return items
  }
  return []
}

const findAddressed = async (words: readonly string[], sources: McpSources) => {
  const prefixes = await sources.prefixes()
  const pools = await sources.pools()
  return words.flatMap((word): Found[] => {
    const found = lookUpAddress(word, prefixes)
    if (!('path' in found)) return []
    const address = decodeURIComponent(found.path.slice(found.path.lastIndexOf('/') + 1))
    const pool = pools.find((each) => [each.operatorAddress, each.accountAddress].includes(address))
    return [
      ...(pool ? [ofPool(pool, sources)] : []),
      ...(found.path.startsWith('/voters/') ? [ofVoter(address, sources)] : []),
    ]
  })
}

const findNamed = async (text: string, words: readonly string[], sources: McpSources) => {
  const pools = await sources.pools()
  const mentioned = findMentionedPools(pools, text)
  if (mentioned.length > 0) return mentioned
  const found = searchPools(pools, text)
  return found.length > 0 || words.length === 0 ? found : searchPools(pools, words.join(' '))
}

const search = async (text: string, sources: McpSources): Promise<{ results: Found[] }> => {
  const words = splitWords(text).map((word) => word.replace(/^[("']+|[)"'?!.,;:]+$/g, ''))
  const telling = words.filter((word) => word !== '' && !QUESTION.test(word))
  const [numbered, addressed, pools, worded] = await Promise.all([
    findNumbered(words, sources),
    findAddressed(words, sources),
    findNamed(text, telling, sources),
    findWorded(text, telling, sources),
  ])
  const all = [
    ...numbered.map((each) => ofProposal(each, sources)),
    ...addressed,
    ...pools.slice(0, MAX_RESULTS / 2).map((each) => ofPool(each, sources)),
    ...worded.map((each) => ofProposal(each, sources)),
  ]
  const results = [...new Map(all.map((each) => [each.id, each])).values()].slice(0, MAX_RESULTS)
  return { results: results.map((each) => ({ ...each, title: cut(each.title, 200) })) }
}

/** As many rows as fit, and where the others are. */
const writeText = (lines: readonly string[], rows: readonly string[], url: string): string => {
  let left = MAX_TEXT_TOKENS - MIN_SUMMARY_TOKENS - estimateTokens(JSON.stringify(lines))
  const end = rows.findIndex((row) => {
    left -= estimateTokens(JSON.stringify(row))
    return left < 0
  })
  const shown = end === -1 ? rows : rows.slice(0, end)
  const hidden = rows.length - shown.length
  return [
    ...lines,
    ...shown.map((row) => `- ${row}`),
    ...(hidden === 0 ? [] : [`${hidden} more: ${url}`]),
  ].join('\n')
}

/** The row of each pool, the most powerful first. */
const listVotes = async (proposalId: string, sources: McpSources): Promise<string[]> => {
  const rows: string[] = []
  for (let page = 0; page < MAX_VOTE_PAGES; page++) {
    const query = { sort: 'power', page: `${page}` }
    const votes = await sources.read(proposalVotes, { params: { proposalId }, query })
    // Without the powers, so that the votes of a large chain fit.
    rows.push(
      ...votes.items.map(
        ({ pool, vote }) => `${quoteMoniker(pool.moniker)}: ${describeVote(vote)}`,
      ),
    )
    if (votes.page.nextCursor === null) break
  }
  return rows
}

const fetchProposal = async (proposalId: string, sources: McpSources): Promise<Fetched> => {
  const body = await readProposal(sources, proposalId)
  const found = ofProposal(body, sources)
  const lines = [
    ...(proposal.tool?.read(body).lines ?? []),
    'The own vote of each validator, the largest first:',
  ]
  const text = writeText(lines, await listVotes(proposalId, sources), found.url)
  // A token has about four characters.
  const room = (MAX_TEXT_TOKENS - estimateTokens(JSON.stringify(text))) * 4
  const wrote = `The proposer wrote, as a text of a third party:\n${cut(body.summary, room)}`
  return {
    ...found,
    text: `${text}\n${wrote}`,
    metadata: { type: 'proposal', status: body.status, height: `${body.asOf.height}` },
  }
}

const fetchVotes = async (
  type: 'validator' | 'voter',
  name: string,
  sources: McpSources,
): Promise<Fetched> => {
  const isPool = type === 'validator'
  const [pools, body] = await Promise.all([
    isPool ? sources.pools() : undefined,
    isPool
      ? sources.read(poolVotes, { params: { operatorAddress: name }, query: {} })
      : sources.read(voterVotes, { params: { address: name }, query: {} }),
  ])
  const pool = pools?.find(({ operatorAddress }) => operatorAddress === name)
  const title = isPool ? name : `Voter ${name}`
  const found = pool ? ofPool(pool, sources) : toFound(sources, type, name, title)
  const { lines = [], rows = [] } = (isPool ? poolVotes : voterVotes).tool?.read(body) ?? {}
  return {
    ...found,
    text: writeText([found.title, ...lines], rows, found.url),
    metadata: { type, height: `${body.asOf.height}` },
  }
}

const fetchDocument = (id: string, sources: McpSources): Promise<Fetched> => {
  const [, kind, name = ''] = /^(proposal|validator|voter):(.+)$/.exec(id) ?? []
  if (kind === 'proposal') return fetchProposal(name, sources)
  if (kind === 'validator' || kind === 'voter') return fetchVotes(kind, name, sources)
  throw invalidParameters([{ parameter: 'id', detail: 'must be an id that search returns' }])
}

const FOUND = { id: Type.String(), title: Type.String(), url: Type.String() }

const MAX_LENGTH = 500

const createText = (name: string, description: string): Argument => ({
  name,
  isRequired: true,
  place: 'query',
  schema: Type.String({ minLength: 1, maxLength: MAX_LENGTH, description }),
  expected: `a text of at most ${MAX_LENGTH} characters`,
  accepts: (text) => text.length <= MAX_LENGTH,
})

export const RESEARCH_TOOLS: readonly ResearchTool[] = [
  {
    name: 'search',
    title: 'Search',
    description:
      'Finds proposals, validators and voters by number, name, address or words, with the URLs to cite. Read a result with fetch.',
    arguments: [
      createText('query', 'What to look for: "Two Rivers proposal 937", or words of a title'),
    ],
    outputSchema: Type.Object({ results: Type.Array(Type.Object(FOUND)) }),
    run: ({ query = '' }, sources) => search(query.trim(), sources),
  },
  {
    name: 'fetch',
    title: 'Fetch a document',
    description:
      'Returns a result of search as a text: a proposal with the vote of each validator, or the votes of a validator or a voter.',
    arguments: [createText('id', 'The id of a result of search: "proposal:937"')],
    outputSchema: Type.Object({ ...FOUND, text: Type.String(), metadata: Type.Object({}) }),
    run: ({ id = '' }, sources) => fetchDocument(id, sources),
  },
]
