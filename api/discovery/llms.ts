// `/llms.txt`: purpose, usage and documents of the service, for language models. Pure.
import { API_PATHS } from '../../auth/contract/service.ts'
import { MCP_PROTOCOL_VERSIONS } from '../mcp/identity.ts'
import { NULL_MEANS } from '../schemas/common.ts'
import { type About, type Document, TEXT_TYPE } from './about.ts'
import { getSkills, toSkillUrl } from './skills.ts'

const tokensSection = ({ service: { urls }, issuesTokens }: About): string =>
  issuesTokens
    ? `
## Tokens

No token is needed. An agent can get a token that identifies it with one request.

- [auth.md](${urls.authMd}): registration and tokens, in commands that run unchanged
- [Protected resource metadata](${urls.protectedResource}): RFC 9728
- [Authorization server metadata](${urls.authorizationServer}): RFC 8414
`
    : `
## Tokens

No token is needed, and this deployment issues none: [auth.md](${urls.authMd}).
`

const write = (about: About): string => {
  const { urls } = about.service
  const skills = getSkills(about).map(
    ({ name, title, description }) =>
      `- [${title}](${toSkillUrl(about.service, name)}): ${description}`,
  )
  return `# Rollcall

> The complete governance record of a Cosmos SDK chain: proposals, deposits, votes and tallies. Votes are listed per pool and per voter.
> A pool is a validator with the stake delegated to it. Rollcall is read only: it cannot vote or move funds.

## When to use this

- Which proposals are open, and what was decided?
- How did a pool vote, which proposals did it miss, and which of its delegators voted otherwise?
- Is the tally of the chain correct? The evidence has every input of the tally.
- Not available: casting votes, prices, balances, commissions of validators.

## How to read it

- Start with \`GET ${urls.proposals}\`: 20 per page, newest first. Follow \`links.next\` until it is null.
- One proposal with the first page of its votes: \`GET ${urls.proposals}/{proposalId}\`.
- Its votes, one per pool: \`GET ${urls.proposals}/{proposalId}/votes\`. Its deposits: \`…/deposits\`.
- A proof of its state that requires no trust in this service: \`…/proof\`.
- Amounts are decimal strings in the chain's base unit. Do not parse them as floating point numbers.
- ${NULL_MEANS}
- Every response has \`asOf\`: the height for which it is valid. Final data has the height that made it final.
- Keep the \`ETag\` of a response and send it as \`If-None-Match\`: the status is 304 while nothing has changed.
- Errors are problem details (RFC 9457) with a stable \`code\`. After a 429 wait \`Retry-After\` seconds.

## The API

- [OpenAPI 3.1](${urls.openapi}): every operation with examples and errors
- [API reference](${urls.docs}): the same as an HTML page
- [MCP server card](${urls.serverCard}): the same data as MCP tools, over streamable HTTP; revisions ${MCP_PROTOCOL_VERSIONS.toReversed().join(', ')}
- [Health](${urls.health}): indexed height and freshness of the data
- [API catalog](${urls.apiCatalog}): RFC 9727
- [Agent catalog](${urls.aiCatalog}): MCP server, API and skills

## Skills

- [Index](${urls.skillsIndex}): all skills with their digests
${skills.join('\n')}
${tokensSection(about)}`
}

export const llms: Document = {
  path: API_PATHS.llms,
  type: TEXT_TYPE,
  alternateType: 'text/markdown',
  maxAgeSeconds: 300,
  write,
}
