// The replay node as a process of its own, which makes its live blocks when told to and remembers when it did.
import { openRecording } from '../../../infra/app/demo/recording.ts'
import { type ReplayNode, startReplayNode } from '../../../infra/app/demo/replay-node.ts'
import { type Clock, systemClock } from '../../../infra/runtime/clock.ts'
import { takeOrders } from './orders.ts'

type Parameters = {
  /** How many of the last blocks come one by one, once released; 0: all are there at once. */
  liveBlocks: number
  blockMs: number
}

let node: ReplayNode | undefined
let firstTip = 0
let release = (): void => {}
/** Wall-clock time at which `firstTip + 1 + index` was let go. */
const releasedAtMs: number[] = []

/** The node sleeps before each block that it makes, and for nothing else. */
const createNotingClock = (): Clock => {
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    now: systemClock.now,
    sleep: async (ms, signal) => {
      await released
      await systemClock.sleep(ms, signal)
      releasedAtMs.push(performance.timeOrigin + performance.now())
    },
  }
}

const start = async ({ liveBlocks, blockMs }: Parameters) => {
  const recording = openRecording()
  const { firstHeight, lastHeight } = recording.manifest
  const preload = lastHeight - firstHeight + 1 - liveBlocks
  node = await startReplayNode({ recording, preload, blockMs, clock: createNotingClock() })
  firstTip = node.height()
  return { url: node.url, tip: firstTip }
}

const releases = () => releasedAtMs.map((atMs, index) => ({ height: firstTip + 1 + index, atMs }))

takeOrders({ start, release: () => release(), releases }, async () => {
  release()
  await node?.close()
})
