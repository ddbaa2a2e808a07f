// The HTTP interface of one replica: forwards every statement to the engine except `ON CLUSTER`.
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { DistributedDdl } from './distributed-ddl.ts'

export type FrontOptions = { engineUrl: () => string | undefined; ddl: DistributedDdl }

const passOn = (
  { from, to, body }: { from: IncomingMessage; to: ServerResponse; body?: Buffer },
  engineUrl: string,
): void => {
  const { method, headers } = from
  const onward = ask(new URL(from.url ?? '/', engineUrl), { method, headers }, (answer) => {
    to.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(to)
    answer.once('error', () => to.destroy())
  })
  // The connection of a client is cut when the process has ended.
  onward.once('error', () => to.destroy())
  to.once('close', () => onward.destroy())
  if (body === undefined) from.pipe(onward)
  else onward.end(body)
}

export const createFront = ({ engineUrl, ddl }: FrontOptions) => {
  const submit = async (sql: string, response: ServerResponse) => {
    const { status, text } = await ddl.submit(sql)
    if (status === 200) response.end()
    else
      response
        .writeHead(status, { 'x-clickhouse-exception-code': text.match(/\d+/)?.[0] })
        .end(text)
  }
  return async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
    const url = engineUrl()
    if (url === undefined) return void to.destroy()
    // An insert has its statement in the URL and its rows in the body.
    if (new URL(from.url ?? '/', url).searchParams.has('query')) return passOn({ from, to }, url)
    const body = await buffer(from).catch(() => undefined)
    if (body === undefined) return void to.destroy()
    const sql = body.length < 1_000_000 ? body.toString() : ''
    if (ddl.isDistributed(sql)) await submit(sql, to)
    else passOn({ from, to, body }, url)
  }
}
