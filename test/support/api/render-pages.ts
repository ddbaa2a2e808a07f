// Renders pages with given data.
import type { Page } from '../../../api/pages/page.ts'
import type { PageContext } from '../../../api/view/context.ts'
import { renderHtml } from '../../../api/view/page.tsx'

export const toHtmlPage =
  <Data>(page: Pick<Page<Data>, 'write'>) =>
  (data: Data, at: PageContext): string =>
    renderHtml(page.write(data, at), at)
