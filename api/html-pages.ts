// The pages for people as HTML, by name. A page that is not here yet is answered as Markdown.
import type { Renderers } from './people-page.ts'
import { FRONT_PAGE } from './routes/plain-pages.ts'

export const HTML: Partial<Renderers> = { home: () => FRONT_PAGE }

/** Name and value in turn. */
export const HTML_FIELDS: readonly string[] = ['content-security-policy', "default-src 'none'"]
