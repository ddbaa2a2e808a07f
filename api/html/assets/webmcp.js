// Offers the read tools to the browser's own agent (WebMCP), where it has one. Each reads one address of the API of this very
// origin, without credentials, and gives its body. `TOOLS` is put in front of this file when it is served.

const root = new URL('..', import.meta.url)

/** Arguments that the path names go there, the others into the query. */
const addressOf = (path, input) => {
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
  const answer = await fetch(addressOf(path, input), { headers, credentials: 'omit' })
  return { content: [{ type: 'text', text: await answer.text() }], isError: !answer.ok }
}

for (const { path, ...tool } of TOOLS) {
  const offered = { ...tool, execute: (input) => read(path, input) }
  try {
    if (document.modelContext) await document.modelContext.registerTool(offered)
    // Where earlier drafts have it.
    else if (navigator.modelContext) await navigator.modelContext.registerTool(offered)
  } catch {
    // One that the browser refuses takes none of the others along.
  }
}
