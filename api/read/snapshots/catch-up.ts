// What is still to come of the past, and how long that takes at the rate that this process observes.
import type { Snapshot } from '../snapshot.ts'
import { isFarBehind } from './behind.ts'

/** `heights` behind the tip come first, then the votes that ended before the first indexed height. */
export type CatchUp = {
  of: 'heights' | 'history'
  done: number
  total: number
  /** Null until the rate is known, and without progress. */
  secondsLeft: number | null
}

export type CatchUpMeter = {
  observe(snapshot: Pick<Snapshot, 'height' | 'tip' | 'history'>): void
  /** Null if nothing is to come. */
  read(): CatchUp | null
}

const WINDOW_MS = 30_000
const SAMPLE_MS = 500
/** A shorter time says nothing about the rate. */
const SHORTEST_MS = 2_000

type Work = Pick<CatchUp, 'of' | 'done' | 'total'>
type Sample = { atMs: number; left: number }

const findWork = ({
  height,
  tip,
  history,
}: Parameters<CatchUpMeter['observe']>[0]): Work | undefined => {
  if (isFarBehind({ heights: tip - height, seconds: null })) {
    return { of: 'heights', done: height, total: tip }
  }
  if (!history) return undefined
  // What no endpoint can show is not to come.
  const total = history.total - history.unreachable
  return history.done < total ? { of: 'history', done: history.done, total } : undefined
}

export const createCatchUpMeter = (now: () => number): CatchUpMeter => {
  let work: Work | undefined
  let samples: Sample[] = []
  return {
    observe: (snapshot) => {
      const found = findWork(snapshot)
      if (found?.of !== work?.of) samples = []
      work = found
      const atMs = now()
      if (!found || atMs - (samples.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) < SAMPLE_MS) return
      const recent = samples.filter((each) => atMs - each.atMs <= WINDOW_MS)
      samples = [...recent, { atMs, left: found.total - found.done }]
    },
    read: () => {
      if (!work) return null
      const left = work.total - work.done
      const [first] = samples
      const elapsedMs = first ? now() - first.atMs : 0
      const gained = first ? first.left - left : 0
      const isKnown = elapsedMs >= SHORTEST_MS && gained > 0
      return { ...work, secondsLeft: isKnown ? (left * elapsedMs) / gained / 1_000 : null }
    },
  }
}
