// The layout of the pages for people: the frame that all rooms share, with what the API knows of a page.
import { type FramedPage, pageFrame, rootOf } from '../../infra/html/page-frame.ts'
import type { PageAt } from '../people-page.ts'
import { LIVE_SCRIPT, SCRIPTS } from './assets.ts'

export type LaidOutPage = Omit<FramedPage, 'alternates'> & {
  /** Address of the same as JSON, below the root. */
  json?: string | undefined
  /** Address of the changes that make this page old, while there may be any. */
  stream?: string | undefined
}

const JSON_LABEL = 'This page as JSON'

export const layout = (
  { json, stream, scripts = [], ...page }: LaidOutPage,
  at: PageAt,
): string => {
  const root = rootOf(at.baseUrl)
  const alternates =
    json === undefined ? [] : [{ path: json, type: 'application/json', label: JSON_LABEL }]
  return pageFrame(
    {
      ...page,
      alternates,
      scripts: [...SCRIPTS, ...(stream === undefined ? [] : [LIVE_SCRIPT]), ...scripts],
      stream: stream === undefined ? undefined : `${root}${stream}`,
    },
    root,
  )
}
