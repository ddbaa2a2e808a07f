// Pages that explain each problem code, as HTML without assets and as JSON.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DEMO_NOTE } from '../../../ingest/contract/demo-chain.ts'
import { ApiProblem, isProblemCode, PROBLEMS } from '../../problem.ts'
import { isDemoSnapshot } from '../../read/snapshot.ts'
import type { SnapshotSource } from '../../read/snapshots/snapshot-source.ts'
import { commonHeaders } from '../headers.ts'
import { createNegotiation } from '../negotiate.ts'

const negotiate = createNegotiation(['application/json', 'text/html'])

const renderPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${body}
</html>
`

const sendHtml = (html: string, request: FastifyRequest, reply: FastifyReply) =>
  reply
    .headers({
      ...commonHeaders(request),
      'cache-control': 'public, max-age=300',
      'content-security-policy': "default-src 'none'",
      'content-type': 'text/html; charset=utf-8',
    })
    .send(html)

const renderExplanation = (code: keyof typeof PROBLEMS, isDemo: boolean): string => {
  const { status, title, meaning } = PROBLEMS[code]
  return renderPage(
    title,
    `${isDemo ? `<p><strong>${DEMO_NOTE}</strong></p>\n` : ''}<h1>${title}</h1>\n<p>${meaning}</p>\n<p>HTTP ${status}, code ${code}</p>`,
  )
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
      return sendHtml(renderExplanation(code, isDemoSnapshot(snapshots.current())), request, reply)
    }
    return reply
      .headers({ ...commonHeaders(request), 'cache-control': 'public, max-age=300' })
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify({ type: `${baseUrl}/problems/${code}`, code, ...PROBLEMS[code] }))
  })
}
