// The page that a browser gets at the URL of the MCP server: what it is, and how to connect.
import { API_PATHS } from '../../auth/contract/service.ts'
import type { PageContext } from '../document/context.ts'
import { code, link } from '../document/line.ts'
import { type Document, heading, list, listing, paragraph } from '../document/tree.ts'
import { mcpSettings } from '../for-programs.ts'
import { TOOL_NAMES } from '../mcp/tools.ts'

export const writeMcp = ({ serviceUrl, baseUrl }: PageContext): Document => ({
  title: 'MCP server',
  description: 'How to connect a client of the Model Context Protocol.',
  path: '',
  blocks: [
    paragraph(
      'This URL is for clients of the Model Context Protocol. ' +
        'They send their messages with POST, so a browser has nothing to show here.',
    ),
    heading('Connect a client'),
    paragraph(
      'A client needs only the URL. ' +
        'It uses streamable HTTP, without a token and without a session:',
    ),
    listing(mcpSettings(serviceUrl ?? baseUrl)),
    heading('Tools'),
    list(TOOL_NAMES.map(code)),
    paragraph([
      'See also ',
      link(API_PATHS.serverCard, 'the server card'),
      ', ',
      link(API_PATHS.llms, 'llms.txt'),
      ' and ',
      link(API_PATHS.docs, 'the API reference'),
      '.',
    ]),
  ],
})
