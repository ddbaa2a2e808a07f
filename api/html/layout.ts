// The layout of the pages for people: the frame that all rooms share, with what the API knows of a page.
import { type FramedPage, pageFrame, rootOf } from '../../infra/html/page-frame.ts'
import type { PageAt } from '../people-page.ts'
import { SCRIPTS } from './assets.ts'

export type LaidOutPage = Omit<FramedPage, 'alternates'> & {
  /** Address of the same as JSON, below the root. */
  json?: string | undefined
}

export const layout = ({ json, scripts = [], ...page }: LaidOutPage, at: PageAt): string =>
  pageFrame(
    {
      ...page,
      scripts: [...SCRIPTS, ...scripts],
      alternates:
        json === undefined ? [] : [{ path: json, type: 'application/json', label: 'This as JSON' }],
    },
    rootOf(at.baseUrl),
  )
