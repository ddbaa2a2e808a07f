// The page that a browser gets at the URL of the MCP server: what it is, and how to connect.

import { API_PATHS } from '../../auth/contract/service.ts'
import { html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { code, link } from '../document/html/inline.ts'
import { mcpSettings } from '../for-programs.ts'
import { TOOL_NAMES } from '../mcp/tools.ts'
import { layout } from './layout.ts'

const TITLE = 'MCP server'

export const mcpHtml = (at: PageContext): string =>
  layout(
    {
      title: TITLE,
      description: 'How to connect a client of the Model Context Protocol.',
      path: '',
      main: html`<h1>${TITLE}</h1>
<p>This URL is for clients of the Model Context Protocol. They send their messages with POST, \
so a browser has nothing to show here.</p>
<h2>Connect a client</h2>
<p>A client needs only the URL. It uses streamable HTTP, without a token and without a session:</p>
<pre><code>${mcpSettings(at.serviceUrl ?? at.baseUrl)}</code></pre>
<h2>Tools</h2>
<ul>${TOOL_NAMES.map((name) => html`<li>${code(name)}</li>`)}</ul>
<p>See also ${link(API_PATHS.serverCard, 'the server card', at)}, \
${link(API_PATHS.llms, 'llms.txt', at)} and ${link(API_PATHS.docs, 'the API reference', at)}.</p>`,
    },
    at,
  )
