// Runs the replay node in its own process; it makes live blocks on request and records their times.
import { type DemoNode, startDemoNode } from '../../../infra/app/demo/demo-node.ts'
import { type Clock, systemClock } from '../../../infra/base/runtime/clock.ts'
import { openTestRecording } from '../../support/chain/test-recording.ts'
import { takeOrders } from './orders.ts'

type Parameters = {
  /** How many of the last blocks are released one by one; with 0, all blocks exist at once. */
  liveBlocks: number
  blockMs: number
}

let node: DemoNode | undefined
let firstTip = 0
let release = (): void => {}
/** Wall-clock time at which `firstTip + 1 + index` was released. */
const releasedAtMs: number[] = []

/** The node sleeps only before each block that it makes. */
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
  const recording = openTestRecording()
  const { firstHeight, lastHeight } = recording.manifest
  const preload = lastHeight - firstHeight + 1 - liveBlocks
  node = await startDemoNode({ recording, preload, blockMs, clock: createNotingClock() })
  firstTip = node.height()
  return { url: node.url, tip: firstTip, firstHeight, lastHeight: firstTip }
}

const releases = () => releasedAtMs.map((atMs, index) => ({ height: firstTip + 1 + index, atMs }))

takeOrders({ start, release: () => release(), releases }, async () => {
  release()
  await node?.close()
})
