// Registers the read tools with the agent of the browser (WebMCP), if it has one. Each tool reads one URL of this origin
// without credentials and returns the body. `TOOLS` is defined before this file when it is served.

const root = new URL('..', import.meta.url)

/** Arguments named in the path go into the path, the others into the query. */
const toUrl = (path, input) => {
  const rest = new Map(Object.entries(input ?? {}))
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(value ?? '')
  })
  const url = new URL(filled.slice(1), root)
  for (const [name, value] of rest) if (value != null) url.searchParams.set(name, value)
  return url
}

const read = async (path, input) => {
  const headers = { accept: 'application/json' }
  const response = await fetch(toUrl(path, input), { headers, credentials: 'omit' })
  return { content: [{ type: 'text', text: await response.text() }], isError: !response.ok }
}

for (const { path, ...tool } of TOOLS) {
  const offered = { ...tool, execute: (input) => read(path, input) }
  try {
    if (document.modelContext) await document.modelContext.registerTool(offered)
    // The location in earlier drafts.
    else if (navigator.modelContext) await navigator.modelContext.registerTool(offered)
  } catch {
    // If the browser refuses one tool, the others are still registered.
  }
}
