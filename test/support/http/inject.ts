// Requests to an HTTP application without a socket.
import type { FastifyInstance } from 'fastify'

export type Answer = {
  status: number
  headers: Record<string, string | undefined>
  text: string
  bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  json(): any
}

export type Sent = { headers?: Record<string, string>; payload?: string; remoteAddress?: string }

export const createSend =
  (app: Pick<FastifyInstance, 'inject'>) =>
  async (method: string, url: string, sent: Sent = {}): Promise<Answer> => {
    const response = await app.inject({ method: method as 'GET', url, ...sent })
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string | undefined>,
      text: response.payload,
      bytes: response.rawPayload,
      json: () => response.json(),
    }
  }
