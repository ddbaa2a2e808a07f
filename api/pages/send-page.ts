// Puts a page on the wire: coding, entity tag, 304, how long it may be kept.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasAlready } from '../../infra/runtime/entity-tag.ts'
import { codingFor } from '../plugins/coding.ts'
import { SHARED_HEADERS } from '../plugins/headers.ts'
import { type Body, type Coding, isWorthCompressing, type Kind } from './page-content.ts'
import type { AnsweredPage } from './pages.ts'

const KEEP_OPEN = 'max-age=1, stale-while-revalidate=30'
const KEEP_FINAL = 'max-age=86400, immutable'

const cacheControl = (isFinal: boolean, isPrivate: boolean): string =>
  `${isPrivate ? 'private' : 'public'}, ${isFinal ? KEEP_FINAL : KEEP_OPEN}`

/** Names and values in turn, as `writeHead` takes them. */
type Fields = readonly string[]
export type PageAnswer = { status: 200 | 304; fields: Fields; bytes: Buffer | undefined }

type Block = { found: Fields; notModified: Fields }

/** The fields of a body are the same for everyone who asks without credentials: made once. */
const blocks = new WeakMap<Body, Block>()

type Sent = { body: Body; coding: Coding; caching: string }

const blockOf = ({ body, coding, caching }: Sent, kind: Kind): Block => {
  const notModified = [
    ...Object.entries(SHARED_HEADERS).flat(),
    ...['etag', body.etag],
    ...['cache-control', caching],
    ...kind.fields,
  ]
  const encoding = coding === 'identity' ? [] : ['content-encoding', coding]
  const length = ['content-length', String(body.bytes.length)]
  const type = ['content-type', kind.mediaType]
  return { notModified, found: [...notModified, ...type, ...encoding, ...length] }
}

export const pageAnswer = (
  { page, isFinal }: AnsweredPage,
  asked: IncomingHttpHeaders,
): PageAnswer => {
  const coding = isWorthCompressing(page) ? codingFor(asked['accept-encoding']) : 'identity'
  const body = page.body(coding)
  const isPrivate = asked.authorization !== undefined
  let block = isPrivate ? undefined : blocks.get(body)
  if (!block) {
    const caching = cacheControl(isFinal, isPrivate)
    block = blockOf({ body, coding, caching }, page.kind)
    if (!isPrivate) blocks.set(body, block)
  }
  return hasAlready(asked['if-none-match'], body.etag)
    ? { status: 304, fields: block.notModified, bytes: undefined }
    : { status: 200, fields: block.found, bytes: body.bytes }
}

/** Returns the status sent. What is said of the request itself, the gate has said. */
export const sendPage = (
  answered: AnsweredPage,
  request: FastifyRequest,
  reply: FastifyReply,
): number => {
  const { status, fields, bytes } = pageAnswer(answered, request.headers)
  reply.code(status)
  for (let at = 0; at < fields.length; at += 2) reply.header(fields[at] ?? '', fields[at + 1])
  reply.send(bytes)
  return status
}
