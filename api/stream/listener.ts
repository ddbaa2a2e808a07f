// One client of the stream. It receives each change after its position once, and is disconnected if it reads too slowly.
import type { ServerResponse } from 'node:http'
import type { Filter, Frame } from './changes.ts'
import { comparePositions, type StreamPosition } from './stream-position.ts'

export type Listener<Each extends Frame = Frame> = {
  readonly filter: Filter<Each>
  /** The last sent position; undefined before the first event. */
  readonly position: StreamPosition | undefined
  /** Frames in order; `together` has the bytes of all of them. */
  send(frames: readonly Each[], together: Buffer): void
  /** For greetings and heartbeats. */
  write(bytes: Buffer, position?: StreamPosition): void
  end(): void
}

export type ListenerOptions<Each extends Frame> = {
  response: ServerResponse
  /** Undefined for a client without a valid `Last-Event-ID`. */
  after: StreamPosition | undefined
  filter: Filter<Each>
  onSent: (events: number) => void
  /** Called when the client is disconnected because it reads too slowly. */
  onSlow: () => void
}

/** Maximum bytes in the write buffer of one client. */
const MAX_WAITING_BYTES = 256 * 1024

export const createListener = <Each extends Frame>(
  options: ListenerOptions<Each>,
): Listener<Each> => {
  const { response, filter, onSent, onSlow } = options
  let position = options.after

  const select = (frame: Each): { at: StreamPosition; bytes: Buffer }[] => {
    if (position && comparePositions(frame.position, position) <= 0) return []
    const bytes = filter.select(frame)
    return bytes ? [{ at: frame.position, bytes }] : []
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
    filter,
    get position() {
      return position
    },
    send: (frames, together) => {
      const due = frames.flatMap(select)
      const last = due.at(-1)
      if (!last) return
      position = last.at
      onSent(due.length)
      const isAll =
        due.length === frames.length && due.every(({ bytes }, at) => bytes === frames[at]?.bytes)
      put(isAll ? together : Buffer.concat(due.map(({ bytes }) => bytes)))
    },
    write: (bytes, at) => {
      position = at ?? position
      put(bytes)
    },
    end: () => void response.end(),
  }
}
