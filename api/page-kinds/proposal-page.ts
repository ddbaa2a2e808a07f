// One proposal as people read it: one round's tally and votes, how the vote came together, and who did not vote.
import { formatAtto } from '../../ingest/contract/decimal.ts'
import type { ProposalRow, TallyRow } from '../../projections/contract/read-model.ts'
import { timestampToMs } from '../../projections/contract/timestamps.ts'
import { detailContent, withMember } from '../pages/page-content.ts'
import type { Loaded, PageKind, PageSources, Verdict } from '../pages/page-kind.ts'
import { createSharedReads } from '../pages/shared-reads.ts'
import { type ProposalHead, readProposalHead, tallyOfRound } from '../queries/proposal-head.ts'
import { proposalOf } from '../queries/proposal-rows.ts'
import type { Reading } from '../queries/read.ts'
import { readSilentPools, type SilentPools } from '../queries/silent-pools.ts'
import { readTurnoutSeries, type Span, type TurnoutSeries } from '../queries/turnout-series.ts'
import type { Served } from '../served/served.ts'
import { notFound, versionOf } from './known-proposal.ts'
import { type RoundsReader, roundOf } from './proposal-rounds.ts'
import type { VotesReader } from './votes.ts'

type Sums = {
  yes: string | null
  no: string | null
  abstain: string | null
  noWithVeto: string | null
}

/** What a page for people says beside what REST answers of a proposal. */
export type ProposalExtras = {
  /** Those that were held, the first one first. */
  rounds: number[]
  /** The one whose tally and votes are shown; 0 where no vote was held. */
  shownRound: number
  /** The tally as the events give it, to 18 places, and the chain's own; null where no vote was held. */
  compared: { computed: Sums; chain: Sums } | null
  turnoutSeries: TurnoutSeries | null
  silent: SilentPools | null
}

export type ProposalWish = { proposalId: string; round?: number | undefined; page: number }

const comparedOf = (row: TallyRow): ProposalExtras['compared'] => {
  const exact = (atto: string | null) => (atto === null ? null : formatAtto(atto))
  return {
    computed: {
      yes: exact(row.live_yes_atto),
      no: exact(row.live_no_atto),
      abstain: exact(row.live_abstain_atto),
      noWithVeto: exact(row.live_no_with_veto_atto),
    },
    chain: {
      yes: row.chain_yes,
      no: row.chain_no,
      abstain: row.chain_abstain,
      noWithVeto: row.chain_no_with_veto,
    },
  }
}

/** From the start of voting to its end, or to now. A later round's votes are in the same period, prolonged. */
const spanOf = (row: ProposalRow, served: Served): Span | undefined => {
  if (row.voting_start_time === null) return undefined
  const startMs = timestampToMs(row.voting_start_time)
  const ends = [row.closed_time, row.voting_end_time].filter((time) => time !== null)
  const endMs = Math.min(served.timeMs, ...ends.map(timestampToMs))
  return { startMs, endMs: Math.max(startMs, endMs) }
}

const extrasOf = async (
  reading: Reading,
  head: ProposalHead,
  shownRound: number,
): Promise<ProposalExtras> => {
  const tally = tallyOfRound(head, shownRound)
  const rounds = head.tallies.map(({ round }) => round)
  const nothing = { compared: null, turnoutSeries: null, silent: null }
  if (!tally) return { rounds, shownRound, ...nothing }
  const vote = { proposalId: head.row.proposal_id, round: shownRound, tally }
  const span = spanOf(head.row, reading.served)
  const [turnoutSeries, silent] = await Promise.all([
    span ? readTurnoutSeries(reading, { ...vote, span }) : null,
    readSilentPools(reading, vote),
  ])
  return { rounds, shownRound, compared: comparedOf(tally), turnoutSeries, silent }
}

/** What every page of one round shows beside its votes, as JSON: the same whichever page of votes is asked for. */
type RoundFacts = { proposal: string; extras: string; verdict: Verdict }

const bytesOf = ({ proposal, extras }: RoundFacts): number => 2 * (proposal.length + extras.length)

export const createProposalPage = (
  { store, memory }: PageSources,
  votes: VotesReader,
  rounds: RoundsReader,
) => {
  const share = createSharedReads(memory.area<RoundFacts>('round facts', bytesOf))
  /** Costs as much as all ballots of the round: read once for each version of the proposal. */
  const readFacts = (served: Served, proposalId: string, round: number): Promise<RoundFacts> =>
    share(`${proposalId}/${round}/${versionOf(served, proposalId)}`, async () => {
      const head = await readProposalHead({ store, served }, proposalId)
      const watermark = served.watermarks.get(proposalId)
      if (!head || !watermark) throw notFound(proposalId)
      const extras = await extrasOf({ store, served }, head, round)
      const proposal = proposalOf(head.row, tallyOfRound(head, round), watermark)
      return {
        proposal: JSON.stringify(proposal),
        extras: JSON.stringify(extras),
        verdict: head.verdict,
      }
    })
  const keyOf = (served: Served, { proposalId, round, page }: ProposalWish): string =>
    `page/${proposalId}/${round ?? 'current'}/${page}/${versionOf(served, proposalId)}`
  const load = async (served: Served, wish: ProposalWish): Promise<Loaded> => {
    const { proposalId, round, page } = wish
    const wished = { proposalId, round, start: { page } }
    const shownRound = roundOf(await rounds.get(served, proposalId), wish)
    const [facts, read] = await Promise.all([
      readFacts(served, proposalId, shownRound),
      votes.kind(wished).load(served),
    ])
    const shown = read.contents.get(votes.key(served, wished)) ?? []
    const contents = new Map(read.contents)
    const content = detailContent(facts.proposal, shown)
    contents.set(keyOf(served, wish), withMember(content, 'extras', [facts.extras]))
    const verdict = facts.verdict === 'settled' ? read.verdict : facts.verdict
    return { contents, verdict, isUncached: read.isUncached ?? false }
  }
  return (wish: ProposalWish): PageKind => ({
    proposalId: wish.proposalId,
    key: (served) => keyOf(served, wish),
    load: (served) => load(served, wish),
  })
}
