// Pages that explain each problem code, as HTML and as JSON.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from '../../../infra/base/html/html.ts'
import { PAGE_HEADERS, pageFrame, toRootPath } from '../../../infra/base/html/page-frame.ts'
import { createNegotiation } from '../../../infra/base/http/negotiate.ts'
import { addRoutes, type Edge, type Handler } from '../../../infra/base/http/routes.ts'
import { DEMO_NOTE } from '../../../ingest/contract/demo-chain.ts'
import { toHtml } from '../../html/marked-text.ts'
import { ApiProblem, isProblemCode, PROBLEMS } from '../../problem.ts'
import { isDemoSnapshot } from '../../read/snapshot.ts'
import type { SnapshotSource } from '../../read/snapshots/snapshot-source.ts'
import { JSON_MEDIA_TYPE } from '../list-forms.ts'

const negotiate = createNegotiation(['application/json', 'text/html'])

const CACHING = { 'cache-control': 'public, max-age=300' } as const

const sendHtml = (html: string, reply: FastifyReply) =>
  reply
    .headers({ ...CACHING, ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8' })
    .send(html)

type Explained = { root: string; isDemo: boolean }

const renderExplanation = (code: keyof typeof PROBLEMS, { root, isDemo }: Explained): string => {
  const { status, title, meaning } = PROBLEMS[code]
  const main = html`<h1>${title}</h1>
<p>${toHtml(meaning)}</p>
<p class="soft">HTTP ${status}, code ${code}</p>`
  const notice = isDemo ? DEMO_NOTE : undefined
  return pageFrame({ title, description: title, path: '', main, notice }, root)
}

export const addProblemTexts = (
  app: FastifyInstance,
  options: { edge: Edge; baseUrl: string; snapshots: Pick<SnapshotSource, 'current'> },
): void => {
  const { edge, baseUrl, snapshots } = options
  const explain: Handler = ({ params: { code = '' }, headers }, reply) => {
    if (!isProblemCode(code))
      throw new ApiProblem('route-not-found', `There is no problem with the code ${code}.`)
    if (negotiate(headers.accept) === 'text/html') {
      const isDemo = isDemoSnapshot(snapshots.current())
      return sendHtml(renderExplanation(code, { root: toRootPath(baseUrl), isDemo }), reply)
    }
    return reply
      .headers({ ...CACHING, 'content-type': JSON_MEDIA_TYPE })
      .send(JSON.stringify({ type: `${baseUrl}/problems/${code}`, code, ...PROBLEMS[code] }))
  }
  addRoutes(app, edge, [{ path: '/problems/:code', handlers: { GET: explain } }])
}
