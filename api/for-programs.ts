// What the home page and the page of the MCP server tell developers, in HTML and in Markdown. Pure.
import { API_PATHS, PATHS } from '../auth/contract/service.ts'

type ProgramLink = { path: string; label: string; text: string }

export const PROGRAM_LINKS: readonly ProgramLink[] = [
  {
    path: API_PATHS.openapi,
    label: 'OpenAPI description',
    text: 'every operation of the read API',
  },
  {
    path: API_PATHS.docs,
    label: 'API reference',
    text: 'the same as a page that tries each operation',
  },
  {
    path: API_PATHS.data,
    label: 'Parquet files',
    text: 'all data, for DuckDB, pandas or ClickHouse',
  },
  { path: PATHS.mcp, label: 'MCP server', text: 'the same data as tools, over streamable HTTP' },
  { path: API_PATHS.llms, label: 'llms.txt', text: 'an overview for language models' },
  { path: PATHS.authMd, label: 'auth.md', text: 'how an agent gets a token (optional)' },
  { path: API_PATHS.stream, label: 'Stream', text: 'changes as server-sent events' },
]

export const NO_TOKEN = 'No token is required.'

/** `url` is the URL of the service. */
export const firstCommand = (url: string): string => `curl -fsS '${url}${API_PATHS.proposals}'`

/** The settings of an MCP client, as most clients read them. */
export const mcpSettings = (url: string): string =>
  JSON.stringify({ mcpServers: { rollcall: { type: 'http', url: url + PATHS.mcp } } }, null, 2)
