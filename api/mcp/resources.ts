// MCP resources: proposals and their votes, with the same bytes as the read API.
import { ApiProblem } from '../problem.ts'
import { proposal } from '../resources/proposal.ts'
import { proposals } from '../resources/proposals.ts'
import { proposalVotes } from '../resources/votes.ts'
import { invalidParams, toRefusal } from './refusal.ts'
import type { McpSources } from './sources.ts'

const JSON_TYPE = 'application/json'

/** More than a result of a tool has, because a resource has no cursor. */
const BOUNDS = { maxTokens: 24_000 } as const

const VOTES_TEMPLATE = 'proposals://{proposalId}/votes{?page}'

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: 'proposals://{proposalId}',
    name: 'proposal',
    title: 'Proposal',
    description:
      'A proposal with text, messages, tally and the first 100 votes, as in the read API.',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: VOTES_TEMPLATE,
    name: 'proposal-votes',
    title: 'Votes on a proposal per pool',
    description:
      '100 votes per page in the order of first appearance, from page 0, as in the read API.',
    mimeType: JSON_TYPE,
  },
] as const

const ADDRESS = /^proposals:\/\/([^/?#]*)(\/votes)?(?:\?([^#]*))?$/

type Addressed = {
  operation: typeof proposal | typeof proposalVotes
  id: string
  query: Record<string, string>
}

/** Of a URI that one of the templates has. */
const parseUri = (uri: string): Addressed => {
  const [, id = '', votes, search] = ADDRESS.exec(uri) ?? []
  const given = [...new URLSearchParams(search)]
  if (given.length > 1 || given.some(([name]) => name !== 'page')) {
    throw invalidParams(`The only parameter of ${VOTES_TEMPLATE} is page, at most once.`)
  }
  const operation = votes === undefined ? proposal : proposalVotes
  return { operation, id, query: Object.fromEntries(given) }
}

/** Throws `McpRefusal`. */
export const readResource = async (sources: McpSources, uri: string) => {
  const { operation, id, query } = parseUri(uri)
  try {
    const request = { params: { proposalId: id }, query }
    const body = await sources.read<object>(operation, request, BOUNDS)
    return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(body) }] }
  } catch (error) {
    if (error instanceof ApiProblem) throw toRefusal(error, { uri })
    throw error
  }
}

/** Newest first, in pages of the read API. Throws `ApiProblem`. */
export const listResources = async (sources: McpSources, cursor: string | undefined) => {
  const query: Record<string, string> = cursor === undefined ? {} : { cursor }
  const { items, page } = await sources.read(proposals, { params: {}, query })
  return {
    resources: items.map(({ proposalId, title, status }) => ({
      uri: `proposals://${proposalId}`,
      name: `proposal ${proposalId}`,
      title,
      description: `Proposal ${proposalId}, ${status}`,
      mimeType: JSON_TYPE,
    })),
    ...(page.nextCursor === null ? {} : { nextCursor: page.nextCursor }),
  }
}
