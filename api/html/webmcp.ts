// The WebMCP script, which registers the read tools of the MCP server with the agent of a browser.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../../infra/base/html/asset.ts'
import { locateFile } from '../../infra/base/runtime/product-files.ts'
import { READS_ONLY, TOOLS } from '../mcp/tools.ts'

const TOOL_RUNNER = readFileSync(locateFile('api/html/assets/webmcp.js'), 'utf8')

/** The description of each tool for the browser. */
const offered = TOOLS.map(({ name, title, description, inputSchema }) => ({
  name,
  title,
  description,
  inputSchema,
}))

export const WEBMCP_SCRIPT: Asset = createAsset(
  'webmcp.js',
  Buffer.from(`const TOOLS = ${JSON.stringify(offered)}
const ANNOTATIONS = ${JSON.stringify(READS_ONLY)}
${TOOL_RUNNER}`),
)
