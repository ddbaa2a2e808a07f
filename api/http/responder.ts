// Answers of the store as finished responses, by query and form: from memory, else rendered once for each state of the facts.
import type { ByteCache } from '../read/byte-cache.ts'
import type { Query } from '../read/query.ts'
import type { Answer, Reader } from '../read/reader.ts'
import { createResponse, type Kind } from './response.ts'
import type { Finished } from './send.ts'

/** One representation of a body. */
export type Form<Body> = {
  /** Tells it from every other representation of the same body. */
  name: string
  mediaType: string
  /** True where the body may be final and the way in which it is shown is not. */
  isRevised?: boolean
  render(body: Body): { text: string; fields: Kind['fields'] }
}

type Cached = Finished & {
  query: Query<unknown, unknown>
  stamp: string
  /** Counts an answer by its status. */
  count: (status: number) => void
}

export type ResponseRequest<Body> = {
  query: Query<unknown, Body>
  form: Form<Body>
  /** The address whose slots the reading takes. */
  client: string
  count: (status: number) => void
}

export type Responder = {
  respond<Body>(request: ResponseRequest<Body>): Promise<Finished>
  /** The JSON of an address in its one spelling, where it is in memory and still true. */
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
  /** Called for every answer out of memory. */
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
    const { query, form, count } = request
    const { text, fields } = form.render(body)
    const response = createResponse(Buffer.from(text), { mediaType: form.mediaType, fields })
    const finished = { response, isFinal: isFinal && form.isRevised !== true }
    // A response that is not cached under its snapshot is not looked for either.
    if (stamp !== undefined && query.generation === undefined) {
      cached.set(createCacheKey(form, query), { ...finished, query, stamp, count })
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
      // Of several requests that waited for the same reading, the first renders it.
      return findAt(key) ?? finish(answer, request)
    },
  }
}
