// Updates the status page every five seconds. Without it, the page reloads itself.
const EVERY_MS = 5_000
const LIVE = ['freshness', 'figures', 'limitations', 'as-of']

const shownMarkup = new Map()
const refresh = async () => {
  const signal = AbortSignal.timeout(EVERY_MS)
  const response = await fetch(location.pathname, { headers: { accept: 'text/html' }, signal })
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  // Unchanged parts are not replaced: screen readers would announce them again.
  const changed = LIVE.filter((id) => {
    const text = fresh.getElementById(id)?.innerHTML
    const isUnchanged = text === undefined || shownMarkup.get(id) === text
    shownMarkup.set(id, text)
    return !isUnchanged
  })
  document.dispatchEvent(new CustomEvent('rollcall:incoming', { detail: fresh }))
  for (const id of changed) {
    document.getElementById(id)?.replaceChildren(...fresh.getElementById(id).childNodes)
  }
}

// No script changes this part, so its markup is the one from the server.
shownMarkup.set('freshness', document.getElementById('freshness')?.innerHTML)

const repeat = async () => {
  // A hidden page sends no requests. A failed request is repeated.
  if (!document.hidden) await refresh().catch(() => undefined)
  setTimeout(repeat, EVERY_MS)
}
setTimeout(repeat, EVERY_MS)
