// `GET /api/proposals/{proposalId}/evidence`: all inputs of the tally of one round, so that a client can recompute it.
// Only the first page has the inputs besides the ballots.
import { isCounted } from '../../ingest/contract/delegation.ts'
import { toHeight } from '../../ingest/contract/envelope.ts'
import { readRule, TALLY_RULES } from '../../ingest/contract/tally-rule.ts'
import {
  createEvidenceBallotsQuery,
  type EvidenceChunk,
  type EvidenceSpan,
  readChunks,
} from '../read/queries/events.ts'
import { readRound, type VoteRound } from '../read/queries/proposal-rounds.ts'
import type { Reads } from '../read/query.ts'
import { EvidencePage } from '../schemas/evidence.ts'
import { shortenTexts } from '../words/shortened.ts'
import { defineList } from './list.ts'

const BALLOTS_PER_PAGE = 1_000
/** Chunks per read: a page of voters with few delegations is in one chunk, with many delegations in four. */
const CHUNKS_PER_READ = 4

/** Of the pools that the tally counted, and of the others. */
const toEvidencePool = (pool: EvidenceChunk['pools'][number]) => ({
  pool,
  counted: isCounted(pool),
})

/** Without stake if it could not be read: the evidence is incomplete then. */
const toEvidenceBallot = ({ voter, options, delegations }: EvidenceChunk['ballots'][number]) => ({
  voter,
  options: options ?? [],
  delegations: delegations ?? [],
})

/** The start of a page: the position of a chunk, and the index of its first ballot. */
type EvidencePosition = { position: bigint; ballot: number }

const parsePosition = (text: string): EvidencePosition => {
  const [position = '0', ballot] = text.split('~')
  return { position: BigInt(position), ballot: Number(ballot) }
}

type Gathered = {
  ballots: ReturnType<typeof toEvidenceBallot>[]
  /** After each ballot. */
  positions: string[]
  pools: ReturnType<typeof toEvidencePool>[]
  first: EvidenceChunk | undefined
}

const createNothing = (): Gathered => ({ ballots: [], positions: [], pools: [], first: undefined })

/** Reads chunk after chunk until it has so many ballots. */
const gatherPage = async (
  read: (from: bigint | undefined) => Promise<EvidenceChunk[]>,
  start: EvidencePosition | undefined,
  limit: number,
): Promise<Gathered> => {
  const gathered = createNothing()
  const { ballots, positions, pools } = gathered
  let from = start?.position
  let skip = start?.ballot ?? 0
  for (;;) {
    const chunks = await read(from)
    for (const { position, chunk, chunks: count, ...read } of chunks) {
      gathered.first ??= { position, chunk, chunks: count, ...read }
      pools.push(...read.pools.map(toEvidencePool))
      const listed = read.ballots.slice(skip, skip + limit - ballots.length)
      for (const [index, ballot] of listed.entries()) {
        const end = skip + index + 1
        ballots.push(toEvidenceBallot(ballot))
        positions.push(end < read.ballots.length ? `${position}~${end}` : `${position + 1n}~0`)
      }
      if (ballots.length === limit || chunk >= count - 1) return gathered
      skip = 0
      from = position + 1n
    }
    if (chunks.length < CHUNKS_PER_READ) return gathered
  }
}

/** Why a round has no evidence. */
const describeMissingEvidence = (round: number, tally: VoteRound | undefined): string => {
  if (round === 0 || !tally) return 'there is no vote yet'
  if (!tally.final) return 'the vote is still open'
  return tally.matchesChainReason ?? 'the log has no evidence of the tally'
}

/** Complete evidence has each counted ballot once, so the number of the tally is used. */
const countEvidenceBallots = async (
  reads: Reads,
  span: EvidenceSpan,
  { first, ballots }: { first: EvidenceChunk | undefined; ballots: number | null },
): Promise<number> => {
  if (!first) return 0
  if (first.complete && ballots !== null) return ballots
  return (await reads.use(createEvidenceBallotsQuery(span))).value
}

const readTallied = async (
  reads: Reads,
  vote: { proposalId: string; round: number; tally: VoteRound },
  { start, limit }: { start: EvidencePosition | undefined; limit: number },
): Promise<{ gathered: Gathered; total: number }> => {
  const { proposalId, round, tally } = vote
  const span = { proposalId, round, height: toHeight(tally.version) }
  const gathered = await gatherPage(
    (from) => readChunks(reads, span, { from, limit: CHUNKS_PER_READ }),
    start,
    limit,
  )
  const { ballots } = tally
  return {
    gathered,
    total: await countEvidenceBallots(reads, span, { first: gathered.first, ballots }),
  }
}

export const proposalEvidence = defineList({
  operationId: 'listProposalEvidence',
  path: '/api/proposals/:proposalId/evidence',
  tag: 'Proposals',
  summary: 'List the evidence of the tally',
  guide: 'all inputs of the tally, so that you can recompute it',
  description:
    'All inputs of the tally, so that a client can recompute it. The first page has parameters, total bonded tokens and pools. All pages have the options, weights and delegations of voters, 1,000 voters per page.',
  queryParameters: ['cursor', 'round'],
  answer: EvidencePage,
  problems: ['round-not-found'],
  paging: 'cursor',
  pageSize: BALLOTS_PER_PAGE,
  pagesPerReading: 1,
  positionPattern: /^[1-9][0-9]{0,18}~(?:0|[1-9][0-9]{0,6})$/,
  // The delegations of a voter do not fit into a flat row.
  columns: null,
  read: async (reads, args, { start, limit }) => {
    const { proposalId } = args
    const { round, tally } = await readRound(reads, args)
    const isFirst = 'page' in start
    const { gathered, total } = tally?.final
      ? await readTallied(
          reads,
          { proposalId, round, tally },
          { start: isFirst ? undefined : parsePosition(start.position), limit },
        )
      : { gathered: createNothing(), total: 0 }
    const { first, pools, positions } = gathered
    const isComplete = first?.complete ?? false
    const reason = first?.incompleteReason ?? describeMissingEvidence(round, tally)
    const seen = { params: first?.params ?? null, bondedTokens: first?.bondedTokens ?? null, pools }
    return {
      items: gathered.ballots,
      total,
      positionAfter: (index) => positions[index] ?? '',
      // A client can construct a cursor for any position, and pages are large.
      isUncached: !isFirst,
      extra: shortenTexts({
        proposalId,
        round,
        strategy: first ? TALLY_RULES[readRule(first)].strategy : null,
        complete: isComplete,
        incompleteReason: isComplete ? null : reason,
        ...(isFirst ? seen : {}),
      }),
    }
  },
})
