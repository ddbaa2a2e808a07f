// Updates the status page every five seconds. Without it, the page reloads itself.
const EVERY_MS = 5_000
const LIVE = ['notice', 'freshness', 'figures', 'limitations', 'history', 'as-of']

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
    const part = document.getElementById(id)
    const updated = fresh.getElementById(id)
    if (part) part.hidden = updated.hidden
    part?.replaceChildren(...updated.childNodes)
  }
}

// No script changes this part, so its markup is the one from the server.
shownMarkup.set('freshness', document.getElementById('freshness')?.innerHTML)

const repeat = async () => {
  // A hidden page sends no requests. A failed request is repeated.
  if (!document.hidden) {
    const isAnswered = await refresh().then(
      () => true,
      () => false,
    )
    document.dispatchEvent(new CustomEvent(isAnswered ? 'rollcall:answered' : 'rollcall:failed'))
  }
  setTimeout(repeat, EVERY_MS)
}
setTimeout(repeat, EVERY_MS)
