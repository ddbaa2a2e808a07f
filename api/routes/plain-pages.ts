// The few pages for people: what this is, and what each problem means. No assets, no scripts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { commonHeaders } from '../plugins/headers.ts'
import { ApiProblem, isProblemCode, PROBLEMS } from '../problem.ts'

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${body}
</html>
`

export const FRONT_PAGE = page(
  'Rollcall',
  `<h1>Rollcall</h1>
<p>A complete, exact and replayable record of on-chain governance, served as an open read API. It never votes.</p>
<ul>
<li><a href="api/proposals">api/proposals</a>: every proposal, newest first</li>
<li>api/proposals/{proposalId}: one proposal and the first page of its votes</li>
<li>api/proposals/{proposalId}/votes: its votes, pool by pool</li>
<li>api/proposals/{proposalId}/ballots: its votes, voter by voter</li>
<li>api/proposals/{proposalId}/events: the events behind it</li>
<li>api/proposals/{proposalId}/evidence: all that its tally was computed from</li>
<li><a href="api/pools">api/pools</a>: every pool, most tokens first</li>
<li>api/pools/{operatorAddress}/votes: one pool's votes, newest proposal first</li>
<li>api/voters/{address}/votes: one voter's ballots, newest proposal first</li>
<li><a href="api/health">api/health</a>: how fresh all of this is</li>
</ul>`,
)

const sendHtml = (html: string, request: FastifyRequest, reply: FastifyReply) =>
  reply
    .headers({
      ...commonHeaders(request),
      'cache-control': 'public, max-age=300',
      'content-security-policy': "default-src 'none'",
      'content-type': 'text/html; charset=utf-8',
    })
    .send(html)

const explanationOf = (code: keyof typeof PROBLEMS): string => {
  const { status, title, meaning } = PROBLEMS[code]
  return page(title, `<h1>${title}</h1>\n<p>${meaning}</p>\n<p>HTTP ${status}, code ${code}</p>`)
}

export const addPlainPages = (app: FastifyInstance, baseUrl: string): void => {
  app.get<{ Params: { code: string } }>('/problems/:code', (request, reply) => {
    const { code } = request.params
    if (!isProblemCode(code))
      throw new ApiProblem('route-not-found', `There is no problem ${code}.`)
    if (/text\/html/.test(request.headers.accept ?? '')) {
      return sendHtml(explanationOf(code), request, reply)
    }
    return reply
      .headers({ ...commonHeaders(request), 'cache-control': 'public, max-age=300' })
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify({ type: `${baseUrl}/problems/${code}`, code, ...PROBLEMS[code] }))
  })
}
