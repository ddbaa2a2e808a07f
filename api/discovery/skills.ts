// What language models read of this service: `/llms.txt`, and the skills with their index (Agent Skills discovery 0.2.0). Pure.
import { createHash } from 'node:crypto'
import { API_PATHS, type ServiceDescription } from '../../auth/contract/service.ts'
import { DEMO_NOTE } from '../../ingest/contract/demo-chain.ts'
import { JSON_MEDIA_TYPE } from '../formats/rows.ts'
import { MCP_PROTOCOL_VERSIONS } from '../mcp/identity.ts'
import type { Tag } from '../resources/operation.ts'
import { proposals } from '../resources/proposals.ts'
import { NULL_MEANS } from '../schemas/common.ts'
import {
  type About,
  asJson,
  type DiscoveryDocument,
  MARKDOWN_MEDIA_TYPE,
  readTemplate,
  TEXT_TYPE,
  writeOperations,
  writeParameters,
} from './documents.ts'

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

/** A page that describes one task for an agent. Its text is `assets/skills/<name>.md`: each `sh` block runs after the blocks before it. */
export type Skill = {
  /** Lower case letters, digits and single hyphens. Also the folder in its URL. */
  name: string
  title: string
  /** What it does and when to use it. */
  description: string
  /** Example requests of users. */
  queries: readonly string[]
  /** The operations that its text ends with. */
  tag?: Tag
}

const READING: readonly Skill[] = [
  {
    name: 'read-proposals',
    title: 'Read proposals',
    description:
      'List, search and read the governance proposals of a Cosmos SDK chain, with status, dates and tally. Use this for questions about open votes, results and margins.',
    queries: [
      'What is being voted on right now?',
      'Find proposals about the quorum',
      'Did proposal 42 pass, and by how much?',
    ],
    tag: 'Proposals',
  },
  {
    name: 'read-pool-votes',
    title: 'Read the votes of a pool',
    description:
      'Read the governance votes of a pool: its options, its voting power, and the votes of its delegators. A pool is a validator with the stake delegated to it. Use this for questions about the votes of a validator, or about the pools that decided a vote.',
    queries: [
      'How did this validator vote on the last proposals?',
      'Which pools voted no on proposal 42?',
      'Did delegators vote against their validator?',
    ],
    tag: 'Pools and voters',
  },
  {
    name: 'follow-a-live-vote',
    title: 'Follow a live vote',
    description:
      'Monitor an open governance vote and detect each change of its tally without repeated downloads. Use this to monitor a vote or to report its end.',
    queries: [
      'Tell me when proposal 42 passes',
      'Watch the turnout of the open vote',
      'Which votes end next?',
    ],
    tag: 'Service',
  },
]

const ALL: readonly Skill[] = [
  ...READING,
  {
    name: 'get-a-token',
    title: 'Get a token',
    description:
      'Register an agent anonymously and read with a bearer token of scope proposals:read. Reading needs no token. Use this to identify your agent, or when its owner wants to claim it.',
    queries: ['Register this agent', 'Get an access token for the governance API'],
  },
]

/** In the texts of all skills. */
const VALUES = { nullMeans: NULL_MEANS, proposalFilters: writeParameters(proposals) }

const texts = new Map(ALL.map(({ name }) => [name, readTemplate(`skills/${name}.md`)]))

export const getSkills = ({ issuesTokens }: Pick<About, 'issuesTokens'>): readonly Skill[] =>
  issuesTokens ? ALL : READING

const toSkillPath = (name: string): string =>
  API_PATHS.skillsIndex.replace('index.json', `${name}/SKILL.md`)

export const toSkillUrl = ({ issuer }: ServiceDescription, name: string): string =>
  issuer + toSkillPath(name)

const writeSkill = ({ name, title, description, tag }: Skill, { service }: About): string =>
  [
    '---',
    `name: ${name}`,
    `description: ${JSON.stringify(description)}`,
    'license: Apache-2.0',
    'compatibility: Needs curl and HTTP access to this host.',
    '---',
    '',
    `# ${title}`,
    '',
    texts.get(name)?.({ ...service.urls, ...VALUES }),
    ...(tag === undefined ? [] : [writeOperations(service, tag)]),
  ].join('\n')

/** The digest of the served bytes, with which a client checks its download. */
const computeDigest = (text: string): string =>
  `sha256:${createHash('sha256').update(text).digest('hex')}`

const writeIndex = (about: About): string =>
  asJson({
    $schema: SCHEMA,
    skills: getSkills(about).map((skill) => ({
      name: skill.name,
      type: 'skill-md',
      description: skill.description,
      url: toSkillUrl(about.service, skill.name),
      digest: computeDigest(writeSkill(skill, about)),
    })),
  })

const skillsIndex: DiscoveryDocument = {
  path: API_PATHS.skillsIndex,
  type: JSON_MEDIA_TYPE,
  maxAgeSeconds: 300,
  write: writeIndex,
}

export const skillDocuments = (issuesTokens: boolean): readonly DiscoveryDocument[] => [
  skillsIndex,
  ...getSkills({ issuesTokens }).map(
    (skill): DiscoveryDocument => ({
      path: toSkillPath(skill.name),
      type: MARKDOWN_MEDIA_TYPE,
      alternateType: 'application/agent-skills+md',
      maxAgeSeconds: 300,
      write: (about) => writeSkill(skill, about),
    }),
  ),
]

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

export const llms: DiscoveryDocument = {
  path: API_PATHS.llms,
  type: TEXT_TYPE,
  alternateType: 'text/markdown',
  maxAgeSeconds: 300,
  write,
}
