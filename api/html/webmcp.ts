// The script that offers the read tools of the MCP server to a browser's own agent.
import { readFileSync } from 'node:fs'
import { type Asset, assetOf } from '../../infra/html/asset.ts'
import { TOOLS } from '../mcp/tools.ts'

const RUNS_THEM = readFileSync(new URL('./assets/webmcp.js', import.meta.url), 'utf8')

/** What a browser wants to know of a tool, and the address it stands for. */
const offered = TOOLS.map(({ name, title, description, inputSchema, annotations, path }) => ({
  ...{ name, title, description, inputSchema, annotations, path },
}))

export const WEBMCP_SCRIPT: Asset = assetOf(
  'webmcp.js',
  Buffer.from(`const TOOLS = ${JSON.stringify(offered)}\n${RUNS_THEM}`),
)
