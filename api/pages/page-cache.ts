// Pages that were read, bounded by bytes: contents until a fact in them changes, stamped pages until the next stamp.
import { LRUCache } from 'lru-cache'
import type { AsOf } from '../schemas/common.ts'
import { type Content, type StampedPage, sizeOf, stampPage } from './page-content.ts'

export type PageCache = {
  /** The stamped page if its content is here; stamps it where only the stamp is new. */
  find(key: string, asOf: AsOf): StampedPage | undefined
  put(key: string, content: Content): void
  /** Whether the content is here; does not make it younger. */
  has(key: string): boolean
  readonly bytes: number
}

/** Compressed forms come on top of a stamped page. */
const STAMPED_FACTOR = 2

export const createPageCache = (maxBytes: number): PageCache => {
  const contents = new LRUCache<string, Content>({
    maxSize: Math.ceil(maxBytes / 2),
    sizeCalculation: (content) => 1 + sizeOf(content),
  })
  const stamped = new LRUCache<string, { height: number; page: StampedPage }>({
    maxSize: Math.ceil(maxBytes / 2),
    sizeCalculation: ({ page }) => 1 + STAMPED_FACTOR * page.bytes,
  })
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
    put: (key, content) => void contents.set(key, content),
    has: (key) => contents.has(key),
    get bytes() {
      return contents.calculatedSize + stamped.calculatedSize
    },
  }
}
