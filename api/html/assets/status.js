// Keeps the status page as fresh as what it tells of. Without it the page says the same and is loaded again by itself.
const EVERY_MS = 5_000
const LIVE = ['verdict', 'figures', 'as-of']

const said = new Map()
const look = async () => {
  const signal = AbortSignal.timeout(EVERY_MS)
  const answer = await fetch(location.pathname, { headers: { accept: 'text/html' }, signal })
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  // What is said aloud when it changes is left alone while it does not.
  const changed = LIVE.filter((id) => {
    const text = fresh.getElementById(id)?.innerHTML
    const isOld = text === undefined || said.get(id) === text
    said.set(id, text)
    return !isOld
  })
  document.dispatchEvent(new CustomEvent('rollcall:incoming', { detail: fresh }))
  for (const id of changed) {
    document.getElementById(id)?.replaceChildren(...fresh.getElementById(id).childNodes)
  }
}

// No script has its say in this one: it is as it came.
said.set('verdict', document.getElementById('verdict')?.innerHTML)

const repeat = async () => {
  // A page that is not looked at asks for nothing; one that cannot be had is tried again.
  if (!document.hidden) await look().catch(() => undefined)
  setTimeout(repeat, EVERY_MS)
}
setTimeout(repeat, EVERY_MS)
