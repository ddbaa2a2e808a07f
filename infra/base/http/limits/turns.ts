// The process works in turns: one piece at a time, in rotation among the networks, so that a client with many expensive
// requests makes only itself wait. What a piece took is measured.
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers'
import { findNetwork } from './clients.ts'

export type Turns = {
  /**
   * Resolves when it is the turn of the client. What then runs until it waits for something else is one piece of work.
   * Undefined if too many pieces of the client wait already.
   */
  take(address: string): Promise<void> | undefined
}

export type TurnsOptions = {
  /** Called after each piece with the time that it kept the process busy. */
  onWork(address: string, ms: number): void
  /** The least of their differences counts. */
  meters?: Meters
}

type Meters = readonly (() => number)[]

/** Other processes count in the wall clock, and other threads in the time of the processor. */
const WALL_AND_CPU: Meters = [
  () => performance.now(),
  () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  },
]

type Piece = { address: string; start: () => void }

/** Of one network. They are requests, of which each has at most a small body. */
const MAX_WAITING = 256

export function createTurns({ onWork, meters = WALL_AND_CPU }: TurnsOptions): Turns {
  /** By network. The first one is the next: the order of a map is that of its insertions. */
  const queues = new Map<string, Piece[]>()
  let running: { address: string; readings: readonly number[] } | undefined
  let isScheduled = false

  const takeNext = (): Piece | undefined => {
    for (const [network, queue] of queues) {
      queues.delete(network)
      const piece = queue.shift()
      if (queue.length > 0) queues.set(network, queue)
      return piece
    }
    return undefined
  }
  const countMs = (readings: readonly number[]): number =>
    Math.min(...meters.map((read, at) => read() - (readings[at] ?? 0)))
  const startNext = (): void => {
    const piece = takeNext()
    if (!piece) return
    running = { address: piece.address, readings: meters.map((read) => read()) }
    piece.start()
  }
  const endPiece = (): void => {
    if (running) onWork(running.address, countMs(running.readings))
    running = undefined
    isScheduled = false
    if (queues.size > 0) schedule()
  }
  // Between the two only the promises of the piece run. Before the next piece, the process reads its sockets.
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(startNext)
    setImmediate(endPiece)
  }
  return {
    take: (address) => {
      const network = findNetwork(address)
      const queue = queues.get(network) ?? []
      if (queue.length >= MAX_WAITING) return undefined
      queues.set(network, queue)
      schedule()
      return new Promise((resolve) => queue.push({ address, start: resolve }))
    },
  }
}
