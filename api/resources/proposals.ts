// `GET /api/proposals`: proposals with filters, newest first or the best match first; and the newest and open ones of `/`.

import type { Static } from 'typebox'
import { addressKey } from '../../ingest/contract/address.ts'
import { addressPrefixes } from '../read/queries/addresses.ts'
import { toProposalSummary } from '../read/queries/proposal.ts'
import { type ListedProposals, readProposals } from '../read/queries/proposals.ts'
import { chainVersion, type Query, type Reads } from '../read/query.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { parseProposalNumber, splitWords } from '../read/text-search.ts'
import { PROPOSAL_COLUMNS, ProposalPage, type ProposalSummary } from '../schemas/proposal.ts'
import { toBech32Form, toCanonical } from './address.ts'
import { defineList, notIssued } from './list.ts'
import { describeState, describeTally, quote } from './reading.ts'

const PROPOSALS_PER_PAGE = 20

const toSummaries = ({ rows, tallies }: ListedProposals, snapshot: Snapshot): ProposalSummary[] =>
  rows.map((row) => {
    const { proposalId: id, version } = row
    const watermark = snapshot.watermarks.get(id) ?? { position: BigInt(version) }
    return toProposalSummary(row, tallies.get(id), watermark)
  })

/** The key of an address, and its text in other texts: in bech32, if the prefix is known. Empty for any other text. */
const findAddress = async (reads: Reads, text: string) => {
  const canonical = toCanonical(text)
  if (canonical === undefined) return {}
  const prefixes = (await reads.use(addressPrefixes)).value
  const address = toBech32Form(text, 'account', prefixes) ?? canonical
  return { address, addressKey: addressKey(canonical) }
}

const toSearch = async (reads: Reads, q: string | undefined) =>
  q === undefined
    ? {}
    : {
        words: splitWords(q),
        number: parseProposalNumber(q),
        ...(await findAddress(reads, q.trim())),
      }

export const proposals = defineList({
  operationId: 'listProposals',
  path: '/api/proposals',
  tag: 'Proposals',
  summary: 'List proposals',
  guide: 'proposals, newest first',
  description:
    '20 proposals per page, newest first. A proposal must match all filters. With `q` the best matches are first: the number, then all words in the title, then in the text.',
  queryParameters: ['page', 'cursor', 'status', 'proposer', 'messageType', 'q'],
  answer: ProposalPage,
  paging: 'numbered',
  pageSize: PROPOSALS_PER_PAGE,
  pagesPerReading: 10,
  // The last id of the previous page.
  positionPattern: /^(?:0|[1-9][0-9]{0,19})$/,
  columns: PROPOSAL_COLUMNS,
  getWholePath: ({ proposalId }) => `/api/proposals/${proposalId}`,
  version: () => chainVersion,
  read: async (reads, { status, proposer, messageType, q }, { start, limit }) => {
    const { snapshot } = reads
    const below = 'position' in start ? start.position : undefined
    // Cursors have the id of a served proposal, and each served proposal has a watermark.
    if (below !== undefined && !snapshot.watermarks.has(below)) throw notIssued()
    const offset = 'page' in start ? start.page * PROPOSALS_PER_PAGE : 0
    const proposerKey = proposer === undefined ? undefined : addressKey(proposer)
    const search = await toSearch(reads, q)
    const filter = { statuses: status, proposerKey, messageType, ...search }
    const read = await readProposals(reads, filter, { below, offset, limit })
    return {
      items: toSummaries(read, snapshot),
      total: read.total,
      positionAfter: (index) => read.rows[index]?.proposalId ?? '',
    }
  },
  tool: {
    name: 'list_proposals',
    title: 'List proposals',
    description:
      'Lists governance proposals with status and tally, newest first. A proposal must match all filters.',
    row: (item) =>
      `${item.proposalId} ${quote(item.title)}: ${describeState(item)}; ${describeTally(item.tally)}`,
  },
})

type Proposals = Static<typeof ProposalPage>

export type HomeData = Proposals & { open: Proposals }

const newest = proposals.query({})
const open = proposals.query({ status: ['voting_period'] })

export const homeQuery: Query<{ newest: unknown; open: unknown }, HomeData> = {
  name: '/',
  proposalId: null,
  version: chainVersion,
  read: async (reads) => {
    const [all, some] = await Promise.all([reads.use(newest), reads.use(open)])
    return { value: { newest: all.value, open: some.value } }
  },
  complete: (value, completion) => ({
    ...newest.complete(value.newest, completion),
    open: open.complete(value.open, completion),
  }),
}
