// `/robots.txt`: rules for crawlers. Pure.
import { API_PATHS, PATHS } from '../../auth/contract/service.ts'
import { type About, type Document, TEXT_TYPE } from './about.ts'

const AI_CRAWLERS = [
  'GPTBot',
  'OAI-SearchBot',
  'ChatGPT-User',
  'ClaudeBot',
  'Claude-User',
  'Claude-SearchBot',
  'PerplexityBot',
  'Google-Extended',
  'Applebot-Extended',
  'CCBot',
  'Amazonbot',
  'meta-externalagent',
]

/** The record is public: search, AI answers and AI training are allowed. */
const RULES = [
  'Content-Signal: search=yes, ai-input=yes, ai-train=yes',
  'Allow: /',
  // This page is only for the person who received its link.
  `Disallow: ${PATHS.delegation}`,
]

const writeRobots = ({ service: { urls } }: About): string =>
  [
    '# All data is public and read only. Each IP address has a request quota. Agents: see the documents below.',
    'User-agent: *',
    ...RULES,
    '',
    ...AI_CRAWLERS.map((name) => `User-agent: ${name}`),
    ...RULES,
    '',
    `Sitemap: ${urls.sitemap}`,
    // As a comment: parsers reject a file with an unknown directive.
    `# Agentmap: ${urls.ard}`,
    '',
  ].join('\n')

export const robots: Document = {
  path: API_PATHS.robots,
  type: TEXT_TYPE,
  maxAgeSeconds: 3_600,
  write: writeRobots,
}
