// Pages of what one round's tally was computed from: what the chain saw besides the ballots first, then voter by voter.
// Enough for anybody to compute the tally again; nothing here is computed.
import { LRUCache } from 'lru-cache'
import type { Store } from '../../infra/clickhouse/client.ts'
import { heightOfPosition } from '../../ingest/contract/envelope.ts'
import { cursorContent } from '../pages/cursor-content.ts'
import type { Content } from '../pages/page-content.ts'
import type { PageKind } from '../pages/page-kind.ts'
import {
  countEvidenceBallots,
  type EvidenceChunk,
  type EvidenceSpan,
  readChunks,
} from '../queries/list-evidence.ts'
import { roundIn, type VoteRound } from '../queries/vote-rounds.ts'
import { encodeCursor, scopeOf } from '../request/cursor.ts'
import type { Served } from '../served/served.ts'
import { versionOf } from './known-proposal.ts'
import { type RoundsReader, roundOf } from './proposal-rounds.ts'

const BALLOTS_PER_PAGE = 1_000
/** Chunks read at a time: a page of voters with few delegations fits into one, one of many into four. */
const CHUNKS_PER_READ = 4
const MAX_COUNTS = 1_000

/** Where a page begins: a chunk's position, and the first of its ballots to show. */
type Place = { position: bigint; ballot: number }
export type EvidenceWish = { proposalId: string; round?: number | undefined; start: string | null }

export const EVIDENCE_POSITION = /^[1-9][0-9]{0,18}~(?:0|[1-9][0-9]{0,6})$/

export const evidenceScope = ({ proposalId, round }: Omit<EvidenceWish, 'start'>): string =>
  scopeOf('evidence', proposalId, `${round ?? ''}`)

const keyOf = (served: Served, { proposalId, round, start }: EvidenceWish): string =>
  `evidence/${proposalId}/${round ?? 'current'}/${start}/${versionOf(served, proposalId)}`

const placeOf = (start: string | null): Place | undefined => {
  if (start === null) return undefined
  const [position = '0', ballot] = start.split('~')
  return { position: BigInt(position), ballot: Number(ballot) }
}

type Gathered = {
  ballots: EvidenceChunk['ballots']
  pools: EvidenceChunk['pools']
  first: EvidenceChunk | undefined
  next: Place | null
}

/** Reads chunk after chunk until a page is full. */
const gather = async (
  read: (from: bigint | undefined) => Promise<EvidenceChunk[]>,
  start: Place | undefined,
): Promise<Gathered> => {
  const gathered: Gathered = { ballots: [], pools: [], first: undefined, next: null }
  let from = start?.position
  let skip = start?.ballot ?? 0
  for (;;) {
    const chunks = await read(from)
    for (const chunk of chunks) {
      gathered.first ??= chunk
      gathered.pools.push(...chunk.pools)
      const room = BALLOTS_PER_PAGE - gathered.ballots.length
      gathered.ballots.push(...chunk.ballots.slice(skip, skip + room))
      if (chunk.ballots.length > skip + room) {
        return { ...gathered, next: { position: chunk.position, ballot: skip + room } }
      }
      skip = 0
      from = chunk.position + 1n
      const isLast = chunk.chunk >= chunk.chunks - 1
      if (isLast) return gathered
      if (gathered.ballots.length === BALLOTS_PER_PAGE) {
        return { ...gathered, next: { position: from, ballot: 0 } }
      }
    }
    if (chunks.length < CHUNKS_PER_READ) return gathered
  }
}

/** Why a round has no evidence: what is said of its verdict is why. */
const missingReason = (round: number, tally: VoteRound | undefined): string => {
  if (round === 0 || !tally) return 'no vote was held yet'
  if (!tally.final) return 'the vote is still open'
  return tally.matches_chain_reason ?? 'the log has no evidence of what was tallied'
}

export const createEvidenceReader = (store: Store, baseUrl: string, rounds: RoundsReader) => {
  const counts = new LRUCache<string, number>({ max: MAX_COUNTS })

  /** Complete evidence has each ballot that the tally counted, once. */
  const countOf = async (
    served: Served,
    span: EvidenceSpan,
    told: { first: EvidenceChunk; ballots: number | null },
  ): Promise<number> => {
    if (told.first.complete && told.ballots !== null) return told.ballots
    const key = `${served.generation}/${span.proposalId}/${span.round}`
    const total = counts.get(key) ?? (await countEvidenceBallots({ store, served }, span))
    counts.set(key, total)
    return total
  }
  const contentOf = (
    served: Served,
    wish: EvidenceWish,
    page: Gathered & { round: number; total: number; missing: string },
  ): Content => {
    const { proposalId, round, start } = wish
    const { first, pools, next, total } = page
    const { generation } = served
    const cursorAt = (at: string) => encodeCursor({ generation, at, scope: evidenceScope(wish) })
    const head = {
      params: first?.params ?? null,
      bondedTokens: first?.bondedTokens ?? null,
      pools,
    }
    const isComplete = first?.complete ?? false
    const more = {
      proposalId,
      round: page.round,
      strategy: first ? (first.strategy ?? 'inherit') : null,
      complete: isComplete,
      incompleteReason: isComplete ? null : (first?.incompleteReason ?? page.missing),
      ...(start === null ? head : {}),
    }
    return cursorContent(
      page.ballots.map((ballot) => JSON.stringify(ballot)).join(','),
      {
        size: BALLOTS_PER_PAGE,
        totalItems: total,
        cursor: start === null ? undefined : cursorAt(start),
        next: next === null ? null : cursorAt(`${next.position}~${next.ballot}`),
      },
      {
        more,
        address: {
          path: `${baseUrl}/api/proposals/${proposalId}/evidence`,
          filters: round === undefined ? [] : [['round', `${round}`]],
        },
      },
    )
  }
  const load = async (served: Served, wish: EvidenceWish) => {
    const { proposalId } = wish
    const its = await rounds.get(served, proposalId)
    const round = roundOf(its, wish)
    const tally = roundIn(its, round)
    const nothing: Gathered = { ballots: [], pools: [], first: undefined, next: null }
    let gathered = nothing
    let total = 0
    if (tally?.final) {
      const span = { proposalId, round, height: heightOfPosition(BigInt(tally.version)) }
      const read = (from: bigint | undefined) =>
        readChunks({ store, served }, span, { from, limit: CHUNKS_PER_READ })
      gathered = await gather(read, placeOf(wish.start))
      const { first } = gathered
      if (first) total = await countOf(served, span, { first, ballots: tally.ballots })
    }
    const missing = missingReason(round, tally)
    const content = contentOf(served, wish, { ...gathered, round, total, missing })
    const contents = new Map([[keyOf(served, wish), content]])
    // Any place may be written into a cursor, and a page is large.
    const isUncached = wish.start !== null
    return { contents, verdict: its.verdict, isUncached } as const
  }
  return (wish: EvidenceWish): PageKind => ({
    proposalId: wish.proposalId,
    key: (served) => keyOf(served, wish),
    load: (served) => load(served, wish),
  })
}
