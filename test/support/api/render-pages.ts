// Renders pages with given data.
import type { PageContext } from '../../../api/document/context.ts'
import { renderMarkdown } from '../../../api/document/markdown/page.ts'
import { renderHtml } from '../../../api/html/layout.ts'
import type { Page } from '../../../api/pages/page.ts'

export const toHtmlPage =
  <Data>(page: Pick<Page<Data>, 'write'>) =>
  (data: Data, at: PageContext): string =>
    renderHtml(page.write(data, at), at)

export const toMarkdownPage =
  <Data>(page: Pick<Page<Data>, 'write'>) =>
  (data: Data, at: PageContext): string =>
    renderMarkdown(page.write(data, at), at)
