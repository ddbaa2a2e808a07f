// Pages that were read: contents until a fact in them changes, stamped pages until the next stamp.
import type { AsOf } from '../schemas/common.ts'
import type { ByteCache } from './byte-cache.ts'
import { type Content, type StampedPage, sizeOf, stampedBytes, stampPage } from './page-content.ts'

export type PageCache = {
  /** The stamped page if its content is here; stamps it where only the stamp is new. */
  find(key: string, asOf: AsOf): StampedPage | undefined
  put(key: string, content: Content): void
  /** Whether the content is here; does not make it younger. */
  has(key: string): boolean
}

type Stamped = { height: number; page: StampedPage }

export const createPageCache = (memory: ByteCache): PageCache => {
  const contents = memory.area<Content>('content', sizeOf)
  const stamped = memory.area<Stamped>('page', ({ page }) => stampedBytes(page))
  return {
    find: (key, asOf) => {
      const known = stamped.get(key)
      if (known?.height === asOf.height) return known.page
      const content = contents.get(key)
      if (!content) return undefined
      const page = stampPage(content, asOf)
      stamped.set(key, { height: asOf.height, page })
      return page
    },
    put: contents.set,
    has: contents.has,
  }
}
