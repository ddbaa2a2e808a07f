// Runs the actions of a story at their times on the chain. Most of a year is jumps; its last minutes have an even pace.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain } from '../transactions.ts'
import type { StoryClock } from './story-clock.ts'

export type Timeline = {
  /** An action may add others, also at times that are past: these run at once. */
  add(atMs: number, run: () => Promise<unknown>): void
  /** From then on, the clock no longer jumps. */
  liveFromMs: number
  endMs: number
}

type Action = { atMs: number; run: () => Promise<unknown> }

/** Actions within this time share a jump. */
const SLOT_MS = 2 * 3_600_000
const POLL_MS = 30

export type TimelineOptions = {
  chain: Chain
  clock: StoryClock
  liveFromMs: number
  endMs: number
  progress: (line: string) => void
}

export function createTimeline({ chain, clock, liveFromMs, endMs, progress }: TimelineOptions) {
  const waiting: Action[] = []
  const add: Timeline['add'] = (atMs, run) => {
    waiting.push({ atMs, run })
    waiting.sort((a, b) => a.atMs - b.atMs)
  }
  const takeUntil = (atMs: number): Action[] => {
    const count = waiting.findIndex((action) => action.atMs > atMs)
    return waiting.splice(0, count === -1 ? waiting.length : count)
  }
  const untilTime = async (timeMs: number) => {
    while (chain.tip().timeMs < timeMs) await sleep(POLL_MS)
  }
  const playSlot = async (first: Action) => {
    const actions = takeUntil(Math.min(first.atMs + SLOT_MS, liveFromMs))
    const atMs = actions.at(-1)?.atMs ?? first.atMs
    clock.jumpTo(atMs)
    await untilTime(atMs)
    await Promise.all(actions.map(({ run }) => run()))
    progress(`${new Date(chain.tip().timeMs).toISOString()} at height ${chain.tip().height}`)
  }
  const playLive = async () => {
    clock.jumpTo(liveFromMs)
    await untilTime(liveFromMs)
    progress(`live from height ${chain.tip().height}`)
    const running: Promise<unknown>[] = []
    while (chain.tip().timeMs < endMs) {
      running.push(...takeUntil(chain.tip().timeMs).map(({ run }) => run()))
      await sleep(POLL_MS)
    }
    await Promise.all(running)
  }
  const play = async () => {
    for (let [first] = waiting; first && first.atMs < liveFromMs; [first] = waiting)
      await playSlot(first)
    await playLive()
  }
  const timeline: Timeline = { add, liveFromMs, endMs }
  return { timeline, play }
}
