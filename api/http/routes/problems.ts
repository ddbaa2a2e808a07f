// Pages that explain each problem code, as HTML and as JSON.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../../infra/base/html/html.ts'
import { PAGE_HEADERS, pageFrame, toRootPath } from '../../../infra/base/html/page-frame.ts'
import { createNegotiation } from '../../../infra/base/http/negotiate.ts'
import { DEMO_NOTE } from '../../../ingest/contract/demo-chain.ts'
import { toHtml } from '../../html/marked-text.ts'
import { ApiProblem, isProblemCode, PROBLEMS } from '../../problem.ts'
import { isDemoSnapshot } from '../../read/snapshot.ts'
import type { SnapshotSource } from '../../read/snapshots/snapshot-source.ts'
import { commonHeaders } from '../headers.ts'

const negotiate = createNegotiation(['application/json', 'text/html'])

const sendHtml = (html: string, request: FastifyRequest, reply: FastifyReply) =>
  reply
    .headers({
      ...commonHeaders(request),
      'cache-control': 'public, max-age=300',
      ...PAGE_HEADERS,
      'content-type': 'text/html; charset=utf-8',
    })
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
  { baseUrl, snapshots }: { baseUrl: string; snapshots: Pick<SnapshotSource, 'current'> },
): void => {
  app.get<{ Params: { code: string } }>('/problems/:code', (request, reply) => {
    const { code } = request.params
    if (!isProblemCode(code))
      throw new ApiProblem('route-not-found', `There is no problem with the code ${code}.`)
    if (negotiate(request.headers.accept) === 'text/html') {
      const isDemo = isDemoSnapshot(snapshots.current())
      const root = toRootPath(baseUrl)
      return sendHtml(renderExplanation(code, { root, isDemo }), request, reply)
    }
    return reply
      .headers({ ...commonHeaders(request), 'cache-control': 'public, max-age=300' })
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify({ type: `${baseUrl}/problems/${code}`, code, ...PROBLEMS[code] }))
  })
}
