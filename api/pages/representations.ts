// The same page in another form: made from the JSON that is served, so that caching, stamps and generations are the same.
import { LRUCache } from 'lru-cache'
import { type StampedPage, stampBytes } from './page-content.ts'
import type { AnsweredPage } from './pages.ts'

export type Rendered = { text: string; fields: readonly string[] }

export type Representation = {
  /** Tells it from every other representation of the same JSON. */
  name: string
  mediaType: string
  /** What it is made of may be final; how it looks is not. */
  isRevised?: boolean
  /** Pure. `json` is the whole answer as REST gives it. */
  render(json: string): Rendered
}

export type Represent = (answered: AnsweredPage, as: Representation) => AnsweredPage

/** Beside the page cache: what is not here is made again of what is there. */
const MAX_BYTES = 16 * 1024 * 1024
/** Compressed forms come on top. */
const STAMPED_FACTOR = 2

export const createRepresent = (): Represent => {
  const made = new LRUCache<string, StampedPage>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => 1 + STAMPED_FACTOR * bytes,
  })
  return ({ page, isFinal: isDataFinal }, { name, mediaType, isRevised = false, render }) => {
    const isFinal = isDataFinal && !isRevised
    const source = page.body('identity')
    const key = `${source.etag}/${name}`
    const found = made.get(key)
    if (found) return { page: found, isFinal }
    const { text, fields } = render(source.bytes.toString())
    const represented = stampBytes(Buffer.from(text), { mediaType, fields })
    made.set(key, represented)
    return { page: represented, isFinal }
  }
}
