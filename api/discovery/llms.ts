// `/llms.txt`: purpose, usage and documents of the service, for language models. Pure.

import { API_PATHS } from '../../auth/contract/service.ts'
import { DEMO_NOTE } from '../../ingest/contract/demo-chain.ts'
import { MCP_PROTOCOL_VERSIONS } from '../mcp/identity.ts'
import { NULL_MEANS } from '../schemas/common.ts'
import { type About, type Document, TEXT_TYPE } from './about.ts'
import { writeOperations } from './operation-list.ts'
import { getSkills, toSkillUrl } from './skills.ts'
import { readTemplate } from './template.ts'

const fill = readTemplate('llms.md')

const describeTokens = ({ service: { urls }, issuesTokens }: About): string =>
  issuesTokens
    ? `No token is needed. An agent can get a token that identifies it with one request.

- [auth.md](${urls.authMd}): registration and tokens, in commands that run unchanged
- [Protected resource metadata](${urls.protectedResource}): RFC 9728
- [Authorization server metadata](${urls.authorizationServer}): RFC 8414`
    : `No token is needed, and this deployment issues none: [auth.md](${urls.authMd}).`

const listSkills = (about: About): string =>
  getSkills(about)
    .map(
      ({ name, title, description }) =>
        `- [${title}](${toSkillUrl(about.service, name)}): ${description}`,
    )
    .join('\n')

const write = (about: About): string =>
  fill({
    ...about.service.urls,
    demoNote: about.isDemo ? `\n\n**${DEMO_NOTE}**` : '',
    nullMeans: NULL_MEANS,
    operations: writeOperations(about.service),
    mcpRevisions: MCP_PROTOCOL_VERSIONS.toReversed().join(', '),
    skills: listSkills(about),
    tokens: describeTokens(about),
  })

export const llms: Document = {
  path: API_PATHS.llms,
  type: TEXT_TYPE,
  alternateType: 'text/markdown',
  maxAgeSeconds: 300,
  write,
}
