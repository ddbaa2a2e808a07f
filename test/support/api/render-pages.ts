// Renders pages with given data.
import type { PageContext } from '../../../api/document/context.ts'
import { renderHtml } from '../../../api/html/layout.ts'
import type { Page } from '../../../api/pages/page.ts'

export const toHtmlPage =
  <Data>(page: Pick<Page<Data>, 'write'>) =>
  (data: Data, at: PageContext): string =>
    renderHtml(page.write(data, at), at)
