// One client of the stream: gets each change after its own place once, and is let go where it does not keep up.
import type { ServerResponse } from 'node:http'
import type { Frame } from './changes.ts'
import { comparePositions, type StreamPosition } from './stream-position.ts'

export type Listener = {
  /** Up to where it was told; undefined before it was told anything. */
  readonly position: StreamPosition | undefined
  /** Frames in order; `together` is all of them in one piece. */
  send(frames: readonly Frame[], together: Buffer): void
  /** What is no change: greetings and heartbeats. */
  write(bytes: Buffer, position?: StreamPosition): void
  end(): void
}

export type ListenerOptions = {
  response: ServerResponse
  /** Undefined for whoever starts now. */
  after: StreamPosition | undefined
  /** The one proposal that is listened to; all where undefined. */
  proposalId: string | undefined
  onSent: (events: number) => void
  /** It was let go, for it did not read. */
  onSlow: () => void
}

/** What may wait in this process for one client, beyond what its connection holds. */
const MAX_WAITING_BYTES = 256 * 1024

export const createListener = (options: ListenerOptions): Listener => {
  const { response, proposalId, onSent, onSlow } = options
  let position = options.after

  const isDue = (frame: Frame): boolean => {
    if (position && comparePositions(frame.position, position) <= 0) return false
    return proposalId === undefined || frame.proposalId === null || frame.proposalId === proposalId
  }
  const put = (bytes: Buffer): void => {
    if (response.destroyed || response.writableEnded) return
    response.write(bytes)
    if (response.writableLength <= MAX_WAITING_BYTES) return
    onSlow()
    // Not ended: that would wait until it has read all.
    response.destroy()
  }
  return {
    get position() {
      return position
    },
    send: (frames, together) => {
      const due = frames.filter(isDue)
      const last = due.at(-1)
      if (!last) return
      position = last.position
      onSent(due.length)
      const isAll = due.length === frames.length
      put(isAll ? together : Buffer.concat(due.map(({ bytes }) => bytes)))
    },
    write: (bytes, at) => {
      position = at ?? position
      put(bytes)
    },
    end: () => void response.end(),
  }
}
