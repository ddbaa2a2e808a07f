// Renders pages with given data.
import type { Page } from '../../../api/pages/page.ts'
import { renderHtml } from '../../../api/view/page.tsx'
import type { PageContext } from '../../../api/view/paths.ts'

export const toHtmlPage =
  <Data>(page: Pick<Page<Data>, 'write'>) =>
  (data: Data, at: PageContext): string =>
    renderHtml(page.write(data, at), at)
