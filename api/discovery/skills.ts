// The skills of this service: their pages and their index (Agent Skills discovery 0.2.0). Pure.
import { createHash } from 'node:crypto'
import { API_PATHS, type ServiceDescription } from '../../auth/contract/service.ts'
import { type About, asJson, type Document, JSON_TYPE, MARKDOWN_TYPE } from './about.ts'
import { followALiveVote } from './skills/follow-a-live-vote.ts'
import { getAToken } from './skills/get-a-token.ts'
import { readPoolVotes } from './skills/read-pool-votes.ts'
import { readProposals } from './skills/read-proposals.ts'
import type { Skill } from './skills/skill.ts'

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

const READING = [readProposals, readPoolVotes, followALiveVote]
const ALL = [...READING, getAToken]

export const getSkills = ({ issuesTokens }: About): readonly Skill[] =>
  issuesTokens ? ALL : READING

const toSkillPath = (name: string): string =>
  API_PATHS.skillsIndex.replace('index.json', `${name}/SKILL.md`)

export const toSkillUrl = ({ issuer }: ServiceDescription, name: string): string =>
  issuer + toSkillPath(name)

const writeSkill = ({ name, title, description, body }: Skill, about: About): string =>
  [
    '---',
    `name: ${name}`,
    `description: ${JSON.stringify(description)}`,
    'license: Apache-2.0',
    'compatibility: Needs curl and HTTP access to this host.',
    '---',
    '',
    `# ${title}`,
    body(about),
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

const skillsIndex: Document = {
  path: API_PATHS.skillsIndex,
  type: JSON_TYPE,
  maxAgeSeconds: 300,
  write: writeIndex,
}

export const skillDocuments = (issuesTokens: boolean): readonly Document[] => [
  skillsIndex,
  ...(issuesTokens ? ALL : READING).map(
    (skill): Document => ({
      path: toSkillPath(skill.name),
      type: MARKDOWN_TYPE,
      alternateType: 'application/agent-skills+md',
      maxAgeSeconds: 300,
      write: (about) => writeSkill(skill, about),
    }),
  ),
]
