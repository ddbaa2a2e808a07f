// Registers the tools of the MCP server with the agent of the browser (WebMCP), if it has one. Each tool calls the MCP
// server of this origin without credentials and returns its result. `TOOLS` and `ANNOTATIONS` are defined before this file
// when it is served.

const endpoint = new URL('../mcp', import.meta.url)

const call = async (name, input) => {
  const params = { name, arguments: input ?? {} }
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    credentials: 'omit',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const { result, error } = await response.json()
  return result ?? { content: [{ type: 'text', text: error.message }], isError: true }
}

for (const tool of TOOLS) {
  const offered = { ...tool, annotations: ANNOTATIONS, execute: (input) => call(tool.name, input) }
  try {
    if (document.modelContext) await document.modelContext.registerTool(offered)
    // The location in earlier drafts.
    else if (navigator.modelContext) await navigator.modelContext.registerTool(offered)
  } catch {
    // If the browser refuses one tool, the others are still registered.
  }
}
