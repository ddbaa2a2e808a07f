// Clients of the change stream: an EventSource, and a client that reads one connection by line and can pause.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { EventSource } from 'eventsource'

export type Change = { event: string; id: string; data: Record<string, unknown> }

const toChange = ({ type, lastEventId, data }: MessageEvent): Change => ({
  event: type,
  id: lastEventId,
  data: JSON.parse(data),
})

/** Like a browser, it reconnects by itself with its last event id. */
export const listen = (url: string) => {
  const changes: Change[] = []
  const source = new EventSource(url)
  for (const type of ['start', 'proposal', 'reset']) {
    source.addEventListener(type, (event) => void changes.push(toChange(event)))
  }
  const ids = () =>
    changes.filter(({ event }) => event === 'proposal').map(({ data }) => `${data['proposalId']}`)
  return { changes, ids, source, close: () => source.close() }
}

const parse = (block: string): Change | undefined => {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
  const [event, id, data] = [fields.get('event'), fields.get('id'), fields.get('data')]
  return event && id && data ? { event, id, data: JSON.parse(data) } : undefined
}

type Opened = {
  lastEventId?: string
  isPaused?: boolean
  localAddress?: string
  /** The address of the client for an API that trusts one proxy. */
  forwardedFor?: string
}

/** Uses a single connection. `isPaused`: it reads nothing after the header fields. */
export const connect = async (
  url: string,
  { lastEventId, isPaused, localAddress, forwardedFor }: Opened = {},
) => {
  const sent = {
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
  }
  const options = { headers: sent, agent: false, ...(localAddress ? { localAddress } : {}) }
  const outgoing = request(url, options).end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const { statusCode: status = 0, headers } = response
  const changes: Change[] = []
  let text = ''
  let rest = ''
  let hasEnded = false
  const read = (chunk: string) => {
    text += chunk
    const blocks = `${rest}${chunk}`.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const change = parse(block)
      if (change) changes.push(change)
    }
  }
  outgoing.on('error', () => undefined)
  response
    .setEncoding('utf8')
    .on('error', () => undefined)
    .once('close', () => {
      hasEnded = true
    })
  const resume = () => void response.on('data', read)
  if (!isPaused) resume()
  const close = () => void outgoing.destroy()
  return { status, headers, changes, resume, close, text: () => text, hasEnded: () => hasEnded }
}
