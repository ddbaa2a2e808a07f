// The script that offers the read tools of the MCP server to a browser's own agent.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../../infra/html/asset.ts'
import { TOOLS } from '../mcp/tools.ts'

const TOOL_RUNNER = readFileSync(new URL('./assets/webmcp.js', import.meta.url), 'utf8')

/** What a browser wants to know of a tool, and the address it stands for. */
const offered = TOOLS.map(({ name, title, description, inputSchema, annotations, path }) => ({
  name,
  title,
  description,
  inputSchema,
  annotations,
  path,
}))

export const WEBMCP_SCRIPT: Asset = createAsset(
  'webmcp.js',
  Buffer.from(`const TOOLS = ${JSON.stringify(offered)}\n${TOOL_RUNNER}`),
)
