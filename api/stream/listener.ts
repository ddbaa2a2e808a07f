// One client of the stream. It receives each change after its position once, and is disconnected if it reads too slowly.
import type { ServerResponse } from 'node:http'
import type { Frame } from './changes.ts'
import { comparePositions, type StreamPosition } from './stream-position.ts'

export type Listener = {
  /** The last sent position; undefined before the first event. */
  readonly position: StreamPosition | undefined
  /** Frames in order; `together` has the bytes of all of them. */
  send(frames: readonly Frame[], together: Buffer): void
  /** For greetings and heartbeats. */
  write(bytes: Buffer, position?: StreamPosition): void
  end(): void
}

export type ListenerOptions = {
  response: ServerResponse
  /** Undefined for a client without a valid `Last-Event-ID`. */
  after: StreamPosition | undefined
  /** Filters by proposal, if it is set. */
  proposalId: string | undefined
  onSent: (events: number) => void
  /** Called when the client is disconnected because it reads too slowly. */
  onSlow: () => void
}

/** Maximum bytes in the write buffer of one client. */
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
    // `end` would wait until the client has read everything.
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
