// Renders the results of queries as responses, and caches them until the data changes.
import { createResponse, type Kind } from '../../infra/base/http/response.ts'
import type { ByteCache } from '../read/byte-cache.ts'
import type { Query } from '../read/query.ts'
import type { Answer, Reader } from '../read/reader.ts'
import type { Finished } from './send.ts'

/** One representation of a body. */
export type Form<Body> = {
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
}

export type ResponseRequest<Body> = {
  query: Query<unknown, Body>
  form: Form<Body>
  /** The client address whose slots the read uses. */
  client: string
  /** Its name in metrics. */
  operation: string
}

export type Responder = {
  respond<Body>(request: ResponseRequest<Body>): Promise<Finished>
  /** The cached JSON of a canonical URL, if it is still valid. */
  findJson(target: string): Cached | undefined
}

export const JSON_NAME = 'json'

const createCacheKey = (
  { name }: Pick<Form<never>, 'name'>,
  query: Pick<Query<unknown>, 'name'>,
): string => `${name} ${query.name}`

export const createResponder = (options: {
  reader: Reader
  memory: ByteCache
  /** Called for every response from the cache. */
  onHit: () => void
}): Responder => {
  const { reader, onHit } = options
  const cached = options.memory.area<Cached>('response', ({ response }) => response.memory)

  const findAt = (key: string): Cached | undefined => {
    const known = cached.get(key)
    return known && known.stamp === reader.stamp(known.query) ? known : undefined
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
      cached.set(createCacheKey(form, query), { ...finished, query, stamp, operation })
    }
    return finished
  }
  return {
    findJson: (target) => findAt(`${JSON_NAME} ${target}`),
    respond: async (request) => {
      const { query, form, client } = request
      const key = createCacheKey(form, query)
      const known = findAt(key)
      const found = known ? undefined : reader.find(query)
      if (known || found) onHit()
      if (known) return known
      const answer = found ?? (await reader.get(query, client))
      // If several requests waited for the same read, only the first renders the response.
      return findAt(key) ?? finish(answer, request)
    },
  }
}
