// The page that a browser gets at the URL of the MCP server: what it is, and how to connect.
import { API_PATHS, PATHS } from '../../auth/contract/service.ts'
import { TOOL_NAMES } from '../mcp/tools.ts'
import { Listing } from '../view/blocks.tsx'
import type { Document } from '../view/page.tsx'
import { Code, Link } from '../view/parts.tsx'
import type { PageContext } from '../view/paths.ts'

/** The settings of an MCP client, as most clients read them. */
const mcpSettings = (url: string): string =>
  JSON.stringify({ mcpServers: { rollcall: { type: 'http', url: url + PATHS.mcp } } }, null, 2)

export function writeMcp({ serviceUrl, baseUrl }: PageContext): Document {
  return {
    title: 'MCP server',
    description: 'How to connect a client of the Model Context Protocol.',
    path: '',
    body: (
      <>
        <p>
          This URL is for clients of the Model Context Protocol. They send their messages with POST,
          so a browser has nothing to show here.
        </p>
        <h2>Connect a client</h2>
        <p>
          A client needs only the URL. It uses streamable HTTP, without a token and without a
          session:
        </p>
        <Listing>{mcpSettings(serviceUrl ?? baseUrl)}</Listing>
        <h2>Tools</h2>
        <ul>
          {TOOL_NAMES.map((name) => (
            <li>
              <Code>{name}</Code>
            </li>
          ))}
        </ul>
        <p>
          See also <Link to={API_PATHS.serverCard}>the server card</Link>,{' '}
          <Link to={API_PATHS.llms}>llms.txt</Link> and{' '}
          <Link to={API_PATHS.docs}>the API reference</Link>.
        </p>
      </>
    ),
  }
}
