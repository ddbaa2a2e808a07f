// The documents that the API serves to clients, as Markdown for the prose check.
import { aiCatalog } from '../../api/discovery/ai-catalog.ts'
import { authMd } from '../../api/discovery/auth-md.ts'
import { llms } from '../../api/discovery/llms.ts'
import { createOpenApi } from '../../api/discovery/openapi/document.ts'
import { serverCard } from '../../api/discovery/server-card.ts'
import { skillDocuments } from '../../api/discovery/skills.ts'
import { describeInstructions } from '../../api/mcp/mcp.ts'
import { PROMPTS } from '../../api/mcp/prompts.ts'
import { RESOURCE_TEMPLATES } from '../../api/mcp/resources.ts'
import { TOOLS } from '../../api/mcp/tools.ts'
import { PROBLEMS } from '../../api/problem.ts'
import { aboutService } from '../support/api/discovery.ts'
import type { SourceFile } from '../support/source/source-tree.ts'

const TEXT_MEMBERS = ['title', 'summary', 'description', 'displayName', 'meaning', 'detail']
/** Examples are data of the demo chain. */
const EXCLUDED_MEMBERS = ['example']

/** The texts of a JSON document at any depth. */
const collectTexts = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    if (EXCLUDED_MEMBERS.includes(name)) return []
    return typeof member === 'string' && TEXT_MEMBERS.includes(name)
      ? [member]
      : collectTexts(member)
  })
}

/** Each text is a paragraph. */
const toMarkdown = (texts: readonly string[]): string => [...new Set(texts)].join('\n\n')

const renderPrompts = (): string[] =>
  PROMPTS.flatMap(({ write }) =>
    [{ pool: 'a pool' }, { pool: 'a pool', proposalId: '1' }].map((given) => write(given)),
  )

export const readServedDocuments = (): SourceFile[] => {
  const about = aboutService()
  const withoutTokens = aboutService({ issuesTokens: false })
  const pages = [llms, authMd, ...skillDocuments(true).slice(1)]
  return [
    ...pages.map((page) => ({ path: page.path, text: page.write(about) })),
    { path: `${llms.path} without tokens`, text: llms.write(withoutTokens) },
    { path: `${authMd.path} without tokens`, text: authMd.write(withoutTokens) },
    { path: 'OpenAPI', text: toMarkdown(collectTexts(createOpenApi(about))) },
    { path: 'AI catalog', text: toMarkdown(collectTexts(JSON.parse(aiCatalog.write(about)))) },
    { path: 'server card', text: toMarkdown(collectTexts(JSON.parse(serverCard.write(about)))) },
    { path: 'problems', text: toMarkdown(collectTexts(PROBLEMS)) },
    {
      path: 'MCP instructions',
      text: toMarkdown(describeInstructions('https://gov.example.org', 1_200).split('\n')),
    },
    {
      path: 'MCP lists',
      text: toMarkdown(collectTexts([TOOLS, PROMPTS, RESOURCE_TEMPLATES])),
    },
    { path: 'MCP prompts', text: toMarkdown(renderPrompts().flatMap((text) => text.split('\n'))) },
  ]
}
