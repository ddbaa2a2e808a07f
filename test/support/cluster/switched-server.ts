// An HTTP server on a fixed port that can stop and restart like a process: it cuts and refuses connections.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'

export type SwitchedServer = { open(): Promise<void>; cut(): Promise<void> }

export const createSwitchedServer = (port: number, handle: RequestListener): SwitchedServer => {
  let server: Server | undefined
  return {
    open: async () => {
      server = createServer({ keepAliveTimeout: 30_000, requestTimeout: 0 }, handle)
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    cut: async () => {
      const open = server
      server = undefined
      if (!open) return
      const closed = once(open, 'close')
      open.close()
      open.closeAllConnections()
      await closed
    },
  }
}
