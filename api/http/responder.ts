// Renders the results of queries as responses, and caches them until the data changes.
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

const createCacheKey = (
  { name }: Pick<AnswerForm<never>, 'name'>,
  query: Pick<Query<unknown>, 'name'>,
): string => `${name} ${query.name}`

/** Of one snapshot. */
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
  /** What is valid under this snapshot, by target: the cache alone keeps answers. */
  const targets = new Map<string, { key: string; stamp: string }>()
  let snapshot: Snapshot | undefined

  const findAt = (key: string): Cached | undefined => {
    const known = cached.get(key)
    return known && known.stamp === reader.stamp(known.query) ? known : undefined
  }
  const findValid = (target: string): Cached | undefined => {
    const valid = targets.get(target)
    const found = valid && cached.get(valid.key)
    return found?.stamp === valid?.stamp ? found : undefined
  }
  /** The target has the answer to the query of this name. */
  const noteTarget = (target: string, name: string): Cached | undefined => {
    const key = `${JSON_NAME} ${name}`
    const found = findAt(key)
    if (found && targets.size < MAX_TARGETS) targets.set(target, { key, stamp: found.stamp })
    return found
  }
  const findJson = (target: string): Cached | undefined => {
    if (snapshot !== current()) {
      targets.clear()
      snapshot = current()
    }
    return findValid(target) ?? noteTarget(target, target)
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
      cached.set(createCacheKey(form, query), { ...finished, query, stamp, operation, ready })
    }
    return finished
  }
  const respond = async <Body>(request: ResponseRequest<Body>): Promise<Finished> => {
    const { query, form, client } = request
    const key = createCacheKey(form, query)
    const known = findAt(key)
    const found = known ? undefined : reader.find(query)
    if (known || found) onHit()
    if (known) return known
    const answer = found ?? (await reader.get(query, client))
    // If several requests waited for the same read, only the first renders the response.
    return findAt(key) ?? finish(answer, request)
  }
  return {
    findJson,
    respond: async (request) => {
      const finished = await respond(request)
      const { form, query, target } = request
      // A target without parameters names the query with the defaults of all.
      const isDefault = form.name === JSON_NAME && query.name.startsWith(`${target}?`)
      if (target !== undefined && isDefault && !findJson(target)) noteTarget(target, query.name)
      return finished
    },
  }
}
