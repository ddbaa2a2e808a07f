// The WebMCP script, which registers the read tools of the MCP server with the agent of a browser.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../../infra/html/asset.ts'
import { TOOLS } from '../mcp/tools.ts'

const TOOL_RUNNER = readFileSync(new URL('./assets/webmcp.js', import.meta.url), 'utf8')

/** The description of each tool for the browser, and the API path that it reads. */
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
