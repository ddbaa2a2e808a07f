// Pages that explain each problem code, as HTML, Markdown and JSON.
import { createNegotiation } from '../../../infra/base/http/negotiate.ts'
import { toHeaders } from '../../../infra/base/http/response.ts'
import type { Handler, Route } from '../../../infra/base/http/routes.ts'
import { JSON_MEDIA_TYPE } from '../../formats/rows.ts'
import { writeProblemCode } from '../../pages/problem.tsx'
import { ApiProblem, isProblemCode, PROBLEMS } from '../../read/problems.ts'
import { isDemoSnapshot } from '../../read/snapshot.ts'
import { formatMediaType, isPageType, PAGE_TYPES, renderDocument } from '../page-answers.ts'
import type { Service } from '../service.ts'

const negotiate = createNegotiation(['application/json', ...PAGE_TYPES])

const CACHING = { 'cache-control': 'public, max-age=300' } as const

export const createProblemRoute = ({ baseUrl, snapshots }: Service): Route => {
  const explain: Handler = ({ params: { code = '' }, headers }, reply) => {
    if (!isProblemCode(code))
      throw new ApiProblem('route-not-found', `There is no problem with the code ${code}.`)
    const type = negotiate(headers.accept)
    if (type === undefined || !isPageType(type)) {
      return reply
        .headers({ ...CACHING, 'content-type': JSON_MEDIA_TYPE })
        .send(JSON.stringify({ type: `${baseUrl}/problems/${code}`, code, ...PROBLEMS[code] }))
    }
    const at = { baseUrl, params: {}, isDemo: isDemoSnapshot(snapshots.current()) }
    const { text, fields } = renderDocument(writeProblemCode(code), type, at)
    return reply
      .headers({ ...CACHING, ...toHeaders(fields), 'content-type': formatMediaType(type) })
      .send(text)
  }
  return { path: '/problems/:code', handlers: { GET: explain } }
}
