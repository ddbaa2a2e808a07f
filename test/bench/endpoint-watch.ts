// Samples a started product once a second, and compares each page of open votes with the chain at the same height.
import { setTimeout as pause } from 'node:timers/promises'
import type { LiveVotes, TallyCounts } from '../support/endpoint/live-votes.ts'
import { getJson } from '../support/process/rollcall-process.ts'

export type Sample = {
  /** Since the start of the product. */
  seconds: number
  /** Heights between the page and the tip; null without a page. */
  behind: number | null
  /** Lists every open vote. */
  isComplete: boolean
  /** Also lists no other vote, has stake of the last half minute and the tallies of the chain, and is not behind. */
  isExact: boolean
}

type ListedProposal = {
  proposalId: string
  tally:
    | (Record<keyof TallyCounts, string | null> & { matchesChain: string; stakeAt: number | null })
    | null
}
type List<Item> = { items: readonly Item[]; asOf: { height: number } }

const SAMPLE_MS = 1_000
/** A page may lack a vote that began this many blocks ago. */
const NEW_HEIGHTS = 5
/** A page that is further behind is not live. */
const LIVE_HEIGHTS = 10
/** Stake of an open vote is read every 30 seconds, and some blocks later it is served. */
const STAKE_HEIGHTS = 35

const COUNTS = ['yes', 'abstain', 'no', 'noWithVeto'] as const

/** At the height of its stake it is the tally of the chain. Later, votes are newer than stake. */
const isTrue = (
  { tally }: ListedProposal,
  counts: TallyCounts | undefined,
  height: number,
): boolean => {
  if (!tally || tally.yes === null || tally.stakeAt === null) return false
  if (tally.stakeAt < height) return height - tally.stakeAt <= STAKE_HEIGHTS
  return COUNTS.every((option) => tally[option] === counts?.[option])
}

const judge = (
  live: LiveVotes,
  { items, asOf }: List<ListedProposal>,
): Pick<Sample, 'behind' | 'isComplete' | 'isExact'> => {
  const { tip } = live.chain
  const listed = new Set(items.map(({ proposalId }) => proposalId))
  const before = live.openAt(tip - NEW_HEIGHTS)
  const isComplete = [...live.openAt(tip).keys()].every((id) => listed.has(id) || !before.has(id))
  const open = live.openAt(asOf.height)
  const isExact =
    isComplete &&
    asOf.height >= tip - LIVE_HEIGHTS &&
    items.length === open.size &&
    items.every((item) => isTrue(item, open.get(item.proposalId), asOf.height))
  return { behind: tip - asOf.height, isComplete, isExact }
}

const NO_PAGE = { behind: null, isComplete: false, isExact: false }

/** Samples until `untilSeconds` after the start. */
export const sampleProduct = async (
  live: LiveVotes,
  url: string,
  { startedMs, untilSeconds }: { startedMs: number; untilSeconds: number },
): Promise<Sample[]> => {
  const samples: Sample[] = []
  const getSeconds = () => (performance.now() - startedMs) / 1_000
  while (getSeconds() < untilSeconds) {
    const judged = await getJson<List<ListedProposal>>(url, '/api/proposals?status=voting_period')
      .then((list) => judge(live, list))
      .catch(() => NO_PAGE)
    samples.push({ ...judged, seconds: getSeconds() })
    await pause(SAMPLE_MS - ((performance.now() - startedMs) % SAMPLE_MS))
  }
  return samples
}
