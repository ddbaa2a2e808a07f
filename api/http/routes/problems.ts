// Pages that explain each problem code, as HTML without assets and as JSON.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiProblem, isProblemCode, PROBLEMS } from '../../problem.ts'
import { commonHeaders } from '../headers.ts'

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

const renderExplanation = (code: keyof typeof PROBLEMS): string => {
  const { status, title, meaning } = PROBLEMS[code]
  return renderPage(
    title,
    `<h1>${title}</h1>\n<p>${meaning}</p>\n<p>HTTP ${status}, code ${code}</p>`,
  )
}

export const addProblemTexts = (app: FastifyInstance, baseUrl: string): void => {
  app.get<{ Params: { code: string } }>('/problems/:code', (request, reply) => {
    const { code } = request.params
    if (!isProblemCode(code))
      throw new ApiProblem('route-not-found', `There is no problem with the code ${code}.`)
    if (/text\/html/.test(request.headers.accept ?? '')) {
      return sendHtml(renderExplanation(code), request, reply)
    }
    return reply
      .headers({ ...commonHeaders(request), 'cache-control': 'public, max-age=300' })
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify({ type: `${baseUrl}/problems/${code}`, code, ...PROBLEMS[code] }))
  })
}
