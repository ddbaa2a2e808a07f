// `/llms.txt`: what this is, when to use it, and where everything is, for a reader that is a language model. Pure.
import { API_PATHS } from '../../auth/contract/service.ts'
import { MCP_PROTOCOL_VERSIONS } from '../mcp/identity.ts'
import { NULL_MEANS } from '../schemas/common.ts'
import { type About, type Document, TEXT_TYPE } from './about.ts'
import { getSkills, toSkillUrl } from './skills.ts'

const tokensSection = ({ service: { urls }, issuesTokens }: About): string =>
  issuesTokens
    ? `
## Tokens

No token is needed. One that says who reads comes in one request.

- [auth.md](${urls.authMd}): from nothing to a token, every command to be run as it stands
- [Protected resource metadata](${urls.protectedResource}): RFC 9728
- [Authorization server metadata](${urls.authorizationServer}): RFC 8414
`
    : `
## Tokens

None is needed, and none is given out here: [auth.md](${urls.authMd}) says so.
`

const write = (about: About): string => {
  const { urls } = about.service
  const skills = getSkills(about).map(
    ({ name, title, description }) =>
      `- [${title}](${toSkillUrl(about.service, name)}): ${description}`,
  )
  return `# Rollcall

> The complete record of a chain's governance, read only: proposals, how every pool (a validator with the stake delegated to
> it) and every voter voted, and how each tally came about. It never votes and never moves funds.

## When to use this

- What is being voted on now, and what was decided?
- How did a pool vote, which proposals did it miss, whose delegators overruled it?
- Does the tally that the chain announced follow from the votes? The evidence is served beside it.
- Not for: casting a vote, prices, balances, validators' commissions.

## How to read it

- Start with \`GET ${urls.proposals}\`: 20 a page, newest first. Follow \`links.next\` until it is null.
- One proposal with its first votes: \`GET ${urls.proposals}/{proposalId}\`; all its votes, one row per pool: \`…/votes\`; its deposits: \`…/deposits\`; what proves its state, without trust in this service: \`…/proof\`.
- Amounts are decimal strings in the chain's base unit: never read them as floating point.
- ${NULL_MEANS}.
- Every answer has \`asOf\`: the height up to which it is known to hold or, of facts that are final, the height that made them final. Keep its \`ETag\` and send it as \`If-None-Match\` to ask whether it changed.
- Errors are problem documents (RFC 9457) with a stable \`code\`. After 429 wait \`Retry-After\` seconds.

## The API

- [OpenAPI 3.1](${urls.openapi}): every operation with examples and errors
- [Reference for people](${urls.docs}): the same as a page
- [MCP server card](${urls.serverCard}): the same answers as tools, over streamable HTTP; revisions ${MCP_PROTOCOL_VERSIONS.toReversed().join(', ')}
- [Health](${urls.health}): how fresh the answers are
- [API catalog](${urls.apiCatalog}): RFC 9727
- [Agent catalog](${urls.aiCatalog}): MCP server, API and skills

## Skills

- [Index](${urls.skillsIndex}): all of them, with digests
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
