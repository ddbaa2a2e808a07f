// Renders the results of queries as responses, and caches them until the data changes.
import { LRUCache } from 'lru-cache'
import { createReadyResponses, createResponse, type Kind } from '../../infra/base/http/response.ts'
import type { ByteCache } from '../read/cache.ts'
import type { Query } from '../read/query.ts'
import type { Answer, Reader } from '../read/reader.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { READ_CORS, READ_HEADERS } from './edge.ts'
import { type Finished, formatCacheControl } from './send.ts'

/** One representation of a body. */
export type AnswerForm<Body> = {
  /** Unique among the representations of the same body. */
  name: string
  mediaType: string
  /** True for a form that a new release may change, also if the data is final. */
  isRevised?: boolean
  render(body: Body): { text: string; fields: Kind['fields'] }
}

type Cached = Finished & {
  query: Query<unknown, unknown>
  stamp: string
  operation: string
  /** For a client without a token. */
  ready: ReturnType<typeof createReadyResponses>
  /** The snapshot under which it was found valid last, by its number; 0 for none. */
  validFor: number
}

export type ResponseRequest<Body> = {
  query: Query<unknown, Body>
  form: AnswerForm<Body>
  /** The client address whose slots the read uses. */
  client: string
  /** Its name in metrics. */
  operation: string
  /** The target of the request: another name of the query, without its defaults. */
  target?: string
}

export type Responder = {
  respond<Body>(request: ResponseRequest<Body>): Promise<Finished>
  /** The cached JSON of a target, if it is still valid. */
  findJson(target: string): Cached | undefined
}

export const JSON_NAME = 'json'

/** The names of a form and of a query. */
const createCacheKey = (form: string, query: string): string => `${form} ${query}`

const MAX_TARGETS = 256
const READ_FIELDS = Object.entries({ ...READ_CORS.createHeaders({}), ...READ_HEADERS }).flat()

export const createResponder = (options: {
  reader: Reader
  memory: ByteCache
  /** The snapshot that is served. */
  current: () => Snapshot | undefined
  /** Called for every response from the cache. */
  onHit: () => void
}): Responder => {
  const { reader, current, onHit } = options
  const cached = options.memory.area<Cached>('response', ({ response }) => response.memory)
  /** The keys of targets that are no names of queries. */
  const targets = new LRUCache<string, string>({ max: MAX_TARGETS })
  let snapshot: Snapshot | undefined
  /** Of the snapshot. */
  let epoch = 1

  const findAt = (key: string): Cached | undefined => {
    const known = cached.get(key)
    if (!known) return undefined
    if (snapshot !== current()) {
      snapshot = current()
      epoch += 1
    }
    if (known.validFor === epoch) return known
    if (known.stamp !== reader.stamp(known.query)) return undefined
    known.validFor = epoch
    return known
  }
  const finish = <Body>(
    { body, isFinal, stamp }: Answer<Body>,
    request: ResponseRequest<Body>,
  ): Finished => {
    const { query, form, operation } = request
    const { text, fields } = form.render(body)
    const response = createResponse(Buffer.from(text), { mediaType: form.mediaType, fields })
    const finished = { response, isFinal: isFinal && form.isRevised !== true }
    // Only responses of the current generation are found by key.
    if (stamp !== undefined && query.generation === undefined) {
      const cacheControl = formatCacheControl(finished.isFinal, {})
      const ready = createReadyResponses(response, cacheControl, READ_FIELDS)
      const found = { ...finished, query, stamp, operation, ready, validFor: 0 }
      cached.set(createCacheKey(form.name, query.name), found)
    }
    return finished
  }
  const respond = async <Body>(request: ResponseRequest<Body>): Promise<Finished> => {
    const { query, form, client } = request
    const key = createCacheKey(form.name, query.name)
    const known = findAt(key)
    const found = known ? undefined : reader.find(query)
    if (known || found) onHit()
    if (known) return known
    const answer = found ?? (await reader.get(query, client))
    // If several requests waited for the same read, only the first renders the response.
    return findAt(key) ?? finish(answer, request)
  }
  return {
    findJson: (target) => findAt(targets.get(target) ?? createCacheKey(JSON_NAME, target)),
    respond: (request) => {
      const { form, query, target } = request
      // A target without parameters names the query with the defaults of all.
      if (target !== undefined && form.name === JSON_NAME && query.name.startsWith(`${target}?`))
        targets.set(target, createCacheKey(form.name, query.name))
      return respond(request)
    },
  }
}
