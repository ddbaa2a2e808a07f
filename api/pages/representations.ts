// The same page in another form: made from the JSON that is served, so that caching, stamps and generations are the same.
import type { ByteCache } from './byte-cache.ts'
import { type StampedPage, stampBytes, stampedBytes } from './page-content.ts'
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

export const createRepresent = (memory: ByteCache): Represent => {
  const made = memory.area<StampedPage>('form', stampedBytes)
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
