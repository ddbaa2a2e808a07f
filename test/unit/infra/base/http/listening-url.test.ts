// Tests of the URL of a server that other processes on this machine can use.
import { createServer, type Server } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listeningUrl } from '../../../../../infra/base/http/listening-url.ts'

const listening = async (host: string): Promise<Server> => {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve)
  })
  onTestFinished(() => void server.close())
  return server
}

const readPort = (server: Server): string => {
  const { port } = server.address() as { port: number }
  return `${port}`
}

describe('the listening URL', () => {
  it('is undefined while the server does not listen', () => {
    expect(listeningUrl(createServer())).toBeUndefined()
  })

  it('has the configured address, or loopback if the server listens on all addresses', async () => {
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      const server = await listening(host)
      expect(listeningUrl(server)).toBe(`http://127.0.0.1:${readPort(server)}`)
    }
  })

  it('has brackets around an IPv6 address', () => {
    const server = { address: () => ({ address: '::1', family: 'IPv6', port: 8080 }) }
    expect(listeningUrl(server as unknown as Server)).toBe('http://[::1]:8080')
  })
})
