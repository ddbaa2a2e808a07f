// Schedules one entry of the story: its submission, deposits, votes, and the block after its end.
import type { Account } from '../accounts.ts'
import { cancel, deposit, submit } from '../messages.ts'
import { chance } from '../scenario/scene.ts'
import { eventValue } from '../transactions.ts'
import { type Ballot, type Electorate, planBallots } from './ballots.ts'
import { DAY_MS, DEMO_PERIODS, EXPEDITED_DEPOSIT, MIN_DEPOSIT } from './chain-spec.ts'
import { moveStake } from './stake-moves.ts'
import { CLEAR, type Entry, MOST, type Stage, YEAR_DAYS } from './story.ts'
import type { Timeline } from './timeline.ts'

export type Playing = {
  stage: Stage
  timeline: Timeline
  electorate: Electorate
  /** Filled at the submissions. */
  proposals: Map<string, bigint>
}

type Window = { fromMs: number; toMs: number }

export const toStoryMs = ({ endMs }: Timeline, day: number): number =>
  endMs - (YEAR_DAYS - day) * DAY_MS

/** Parts of a voting period at which votes arrive: many in one block keep the chain short. */
const ARRIVALS = [0.06, 0.45, 0.88] as const
/** Stake moves together with votes. */
const MOVE_AT = ARRIVALS[1]
/** Of the votes of a proposal that is open in the live part. */
const LIVE_SHARE = 0.4
const MARGIN_MS = 25_000
/** The first block after the end of a period closes it. */
const AFTER_END_MS = 5_000

function findArrival({ liveFromMs, endMs }: Timeline, { fromMs, toMs }: Window, drawn: number) {
  const liveFrom = Math.max(fromMs, liveFromMs) + MARGIN_MS
  const liveTo = Math.min(toMs, endMs) - MARGIN_MS
  const isLive = toMs > liveFromMs && (fromMs >= liveFromMs || drawn < LIVE_SHARE)
  if (isLive) {
    const part = fromMs >= liveFromMs ? drawn : drawn / LIVE_SHARE
    return Math.floor(liveFrom + part * (liveTo - liveFrom))
  }
  const part = ARRIVALS[Math.floor(drawn * 997) % ARRIVALS.length] ?? 0
  return Math.floor(fromMs + part * (Math.min(toMs, liveFromMs) - fromMs))
}

function scheduleVotes(
  { stage, timeline }: Playing,
  vote: { id: bigint; ballots: readonly Ballot[]; key: string; window: Window },
): void {
  const arrivals = new Map<number, Ballot[]>()
  for (const ballot of vote.ballots) {
    const drawn = chance(vote.key, ballot.voter.name, 'when')
    const atMs = findArrival(timeline, vote.window, drawn)
    arrivals.set(atMs, [...(arrivals.get(atMs) ?? []), ballot])
  }
  for (const [atMs, ballots] of arrivals) {
    timeline.add(atMs, () =>
      Promise.all(ballots.map(({ voter, cast }) => stage.chain.send(voter, [cast(vote.id)]))),
    )
  }
}

const noAction = async () => {}

/** `id` is in its voting period since `startMs`. */
function scheduleVoting(
  playing: Playing,
  entry: Entry,
  at: { id: bigint; startMs: number; turn: number },
) {
  const { timeline, electorate } = playing
  const { id, startMs, turn } = at
  const { key, turnout = MOST, mix = CLEAR, secondMix, expedited = false } = entry
  const endMs = startMs + DEMO_PERIODS.votingSeconds * 1_000
  const firstEndMs = expedited ? startMs + DEMO_PERIODS.expeditedSeconds * 1_000 : endMs
  const canceledMs = toStoryMs(timeline, entry.day + (entry.canceledAfterDays ?? Infinity))
  const firstWindow = { fromMs: startMs, toMs: Math.min(firstEndMs, canceledMs) }
  const plan = { key, turn, turnout, mix, round: 1 }
  scheduleVotes(playing, { id, key, ballots: planBallots(electorate, plan), window: firstWindow })
  const moveMs = Math.floor(startMs + MOVE_AT * (firstWindow.toMs - startMs))
  if (moveMs < timeline.liveFromMs)
    timeline.add(moveMs, () => moveStake(playing.stage, electorate, turn))
  timeline.add(firstEndMs + AFTER_END_MS, noAction)
  if (!secondMix) return
  const again = planBallots(electorate, { ...plan, mix: secondMix, round: 2 })
  const window = { fromMs: firstEndMs + AFTER_END_MS, toMs: endMs }
  scheduleVotes(playing, { id, key: `${key}/2`, ballots: again, window })
  timeline.add(endMs + AFTER_END_MS, noAction)
}

async function readBlockTime({ chain }: Stage, height: number): Promise<number> {
  const { block } = await chain.rpc.call('block', { height: String(height) })
  return Date.parse(block.header.time)
}

async function submitEntry({ stage, proposals }: Playing, entry: Entry, proposer: Account) {
  const { key, title, summary, expedited = false } = entry
  const full = expedited ? EXPEDITED_DEPOSIT : MIN_DEPOSIT
  const messages = (await entry.messages?.(stage)) ?? []
  const metadata = `https://forum.rollcall.example/t/${key.toLowerCase()}`
  const submission = { title, summary, metadata, expedited, messages }
  const message = submit(proposer.address, submission, entry.deposit ?? full)
  const outcome = await stage.chain.send(proposer, [message], { gas: 30_000_000 })
  const id = BigInt(eventValue(outcome, 'submit_proposal', 'proposal_id'))
  proposals.set(key, id)
  return { id, startMs: await readBlockTime(stage, outcome.height) }
}

export function scheduleEntry(playing: Playing, entry: Entry, turn: number): void {
  const { stage, timeline } = playing
  const { day, topUp, canceledAfterDays } = entry
  const proposer = stage.person(entry.proposer)
  timeline.add(toStoryMs(timeline, day), async () => {
    const { id, startMs } = await submitEntry(playing, entry, proposer)
    if (entry.deposit === undefined) scheduleVoting(playing, entry, { id, startMs, turn })
    if (topUp) {
      timeline.add(toStoryMs(timeline, day + topUp.afterDays), async () => {
        const from = stage.person(topUp.from)
        const { height } = await stage.chain.send(from, [deposit(id, from.address, topUp.amount)])
        const depositedMs = await readBlockTime(stage, height)
        scheduleVoting(playing, entry, { id, startMs: depositedMs, turn })
      })
    }
    if (canceledAfterDays !== undefined) {
      timeline.add(toStoryMs(timeline, day + canceledAfterDays), () =>
        stage.chain.send(proposer, [cancel(id, proposer.address)]),
      )
    }
    if (entry.ending === 'dropped') {
      timeline.add(startMs + DEMO_PERIODS.depositSeconds * 1_000 + AFTER_END_MS, noAction)
    }
  })
}
