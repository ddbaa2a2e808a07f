// The demo chain node: serves the recording over the RPC of CometBFT, and adds block after block.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, systemClock } from '../../base/runtime/clock.ts'
import type { Recording } from './recording.ts'
import { serveHttp } from './rpc-http.ts'
import type { ReplayedChain } from './rpc-methods.ts'
import { createReplaySocket } from './rpc-websocket.ts'

/** Number of last blocks of the recording that are added live. */
export const LIVE_BLOCKS = 150
export const DEFAULT_BLOCK_MS = 1_000

export type ReplayOptions = {
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

export type ReplayNode = {
  url: string
  chainId: string
  /** The newest visible height. */
  height(): number
  close(): Promise<void>
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

function firstTip({ firstHeight, lastHeight }: Recording['manifest'], preload?: number): number {
  const preloadedTip = preload === undefined ? lastHeight - LIVE_BLOCKS : firstHeight + preload - 1
  return Math.min(lastHeight, Math.max(firstHeight, preloadedTip))
}

/** The node stops at the last recorded height and never restarts from the beginning. */
export async function startReplayNode(options: ReplayOptions): Promise<ReplayNode> {
  const { recording, host = '127.0.0.1', blockMs = DEFAULT_BLOCK_MS } = options
  const { clock = systemClock } = options
  const { chainId, lastHeight } = recording.manifest
  let tip = firstTip(recording.manifest, options.preload)
  const chain: ReplayedChain = { recording, height: () => tip }
  const socket = createReplaySocket(chain)
  const server = createServer((request, response) => {
    serveHttp(request, response, chain).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined)
    })
  })
  server.on('upgrade', (request, connection, head) => {
    if (request.url === '/websocket') socket.upgrade(request, connection, head)
    else connection.end('HTTP/1.1 404 Not Found\r\n\r\n')
  })
  const port = await listen(server, options.port ?? 0, host)
  const stopping = new AbortController()
  const makeBlocks = async () => {
    while (tip < lastHeight) {
      await clock.sleep(blockMs, stopping.signal)
      tip += 1
      socket.announce(tip)
    }
  }
  // Ends at the last height, or by `close`, which rejects the sleep.
  const growing = makeBlocks().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  const close = async () => {
    stopping.abort()
    await growing
    socket.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://${host}:${port}`, chainId, height: () => tip, close }
}
