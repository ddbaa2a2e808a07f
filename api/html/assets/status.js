// Keeps the status page as fresh as what it tells of. Without it the page says the same and is loaded again by itself.
const EVERY_MS = 5_000

const pageScript = document.querySelector('script[src*="/assets/page-"]')
const { showTimes } = pageScript ? await import(pageScript.src) : {}

const look = async () => {
  const headers = { accept: 'text/html' }
  const answer = await fetch(location.pathname, { headers, signal: AbortSignal.timeout(EVERY_MS) })
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const id of ['verdict', 'figures', 'as-of']) {
    const [now, next] = [document.getElementById(id), fresh.getElementById(id)]
    // What is said aloud when it changes is left alone while it does not.
    if (now && next && now.dataset.said !== next.innerHTML) {
      now.dataset.said = next.innerHTML
      now.replaceChildren(...next.childNodes)
      showTimes?.(now)
    }
  }
}

const repeat = async () => {
  // A page that is not looked at asks for nothing; one that cannot be had is tried again.
  if (!document.hidden) await look().catch(() => undefined)
  setTimeout(repeat, EVERY_MS)
}
setTimeout(repeat, EVERY_MS)
