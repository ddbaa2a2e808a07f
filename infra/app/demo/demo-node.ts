// The demo chain node: serves the recording as a real node does, and adds block after block.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Clock, systemClock } from '../../base/runtime/clock.ts'
import { AppError } from '../../base/runtime/errors.ts'
import type { NodeView } from '../chain/methods.ts'
import { toResponseText } from '../chain/reply.ts'
import { MAX_BODY_BYTES, startNodeServer } from '../chain/server.ts'
import type { IndexedBlock } from '../indexed-block.ts'
import { createRecordedChain, createRecordedView } from './recorded-chain.ts'
import { findRecordingMismatch, openRecording, type Recording } from './recording.ts'

/** Number of last blocks of the recording that are added live. */
export const LIVE_BLOCKS = 150
export const DEFAULT_BLOCK_MS = 1_000

export type DemoNodeOptions = {
  recording: Recording
  /** 0, the default, selects a free port. */
  port?: number
  host?: string
  /** Blocks that are present at the start; by default all except the last 150. */
  preload?: number
  /** Time between two later blocks. */
  blockMs?: number
  clock?: Clock
}

export type DemoNode = {
  url: string
  chainId: string
  /** The newest visible height. */
  height(): number
  close(): Promise<void>
}

const findFirstTip = (
  { firstHeight, lastHeight }: Recording['manifest'],
  preload?: number,
): number => {
  const preloadedTip = preload === undefined ? lastHeight - LIVE_BLOCKS : firstHeight + preload - 1
  return Math.min(lastHeight, Math.max(firstHeight, preloadedTip))
}

/** Its websocket: it sends the header of each new block to every client that has subscribed, whatever the query is. */
function createHeaderNotices(view: NodeView) {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES })
  /** The ID of the subscription of each client. */
  const subscribers = new Map<WebSocket, unknown>()
  const receive = (socket: WebSocket, data: unknown): void => {
    try {
      const { id, method } = JSON.parse(String(data)) as { id?: unknown; method?: unknown }
      if (method === 'subscribe') subscribers.set(socket, id)
      socket.send(toResponseText(id, { result: {} }))
    } catch {
      socket.terminate()
    }
  }
  return {
    upgrade: (request: IncomingMessage, connection: Duplex, head: Buffer): void =>
      server.handleUpgrade(request, connection, head, (socket) => {
        socket.on('message', (data) => receive(socket, data))
        socket.on('error', () => socket.terminate())
        socket.on('close', () => subscribers.delete(socket))
      }),
    /** Sends the header of the tip. */
    announce: (): void => {
      const value = { header: view.write.header(view, view.tip) }
      const result = { data: { type: 'tendermint/event/NewBlockHeader', value } }
      for (const [socket, id] of subscribers) socket.send(toResponseText(id, { result }))
    },
    close: (): void => {
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}

/** The node stops at the last recorded height and never restarts from the beginning. */
export const startDemoNode = async (options: DemoNodeOptions): Promise<DemoNode> => {
  const { recording, blockMs = DEFAULT_BLOCK_MS, clock = systemClock } = options
  const { chainId, lastHeight } = recording.manifest
  const chain = createRecordedChain(recording, findFirstTip(recording.manifest, options.preload))
  const view = createRecordedView(chain, recording)
  const notices = createHeaderNotices(view)
  const server = await startNodeServer({ ...options, view, upgrade: notices.upgrade })
  const stopping = new AbortController()
  const makeBlocks = async () => {
    while (chain.tip < lastHeight) {
      await clock.sleep(blockMs, stopping.signal)
      chain.grow()
      notices.announce()
    }
  }
  // Ends at the last height, or by `close`, which rejects the sleep.
  const growing = makeBlocks().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  return {
    url: server.url,
    chainId,
    height: () => chain.tip,
    close: async () => {
      stopping.abort()
      await growing
      notices.close()
      await server.close()
    },
  }
}

/**
 * The demo chain of one machine: its tip is never below the last block in the log. Most blocks, and all indexed ones, exist at the
 * start; the others follow one by one. Throws `CHAIN_MISMATCH` if the log is of another recording or chain.
 */
export async function startDemoChain(options: {
  blockMs: number
  /** Undefined for that of Rollcall. */
  recordingDir: string | undefined
  indexed: IndexedBlock | undefined
}): Promise<DemoNode> {
  const { indexed, blockMs, recordingDir } = options
  const recording = openRecording(recordingDir)
  const mismatch = indexed && findRecordingMismatch(recording, indexed)
  if (mismatch) {
    const { message, remedy } = mismatch
    throw new AppError('CHAIN_MISMATCH', `${message}; ${remedy}`, { expose: true })
  }
  const { firstHeight, lastHeight } = recording.manifest
  const firstTip = Math.max(lastHeight - LIVE_BLOCKS, indexed?.height ?? 0)
  return await startDemoNode({ recording, blockMs, preload: firstTip - firstHeight + 1 })
}
