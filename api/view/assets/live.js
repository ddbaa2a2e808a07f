// Live updates: when the stream reports a change, it fetches the page again and patches what differs; the status page does so
// every five seconds. It says that the service no longer responds, and reads live parts again when no block comes any more.
const main = document.getElementById('main')
const MIN_INTERVAL_MS = 1_000
const TIMEOUT_MS = 8_000
const ANNOUNCE_EVERY_MS = 10_000

const liveRegion = document.createElement('p')
liveRegion.className = 'hidden'
liveRegion.setAttribute('role', 'status')
document.body.append(liveRegion)

/** Details that the reader opened stay open. */
const isKeptOpen = (node, name) => node.localName === 'details' && name === 'open'

const patchAttributes = (node, updated) => {
  for (const { name } of [...node.attributes]) {
    if (!updated.hasAttribute(name) && !isKeptOpen(node, name)) node.removeAttribute(name)
  }
  for (const { name, value } of updated.attributes) {
    if (node.getAttribute(name) !== value) node.setAttribute(name, value)
  }
}

/** Keeps nodes of the same type, and with them focus, selection and scroll position. */
const patch = (node, updated) => {
  if (node.isEqualNode(updated)) return
  if (node.nodeType !== Node.ELEMENT_NODE) {
    node.nodeValue = updated.nodeValue
    return
  }
  patchAttributes(node, updated)
  const next = [...updated.childNodes]
  for (const [n, child] of next.entries()) {
    const own = node.childNodes[n]
    if (!own) node.append(document.importNode(child, true))
    else if (own.nodeType === child.nodeType && own.nodeName === child.nodeName) patch(own, child)
    else own.replaceWith(document.importNode(child, true))
  }
  while (node.childNodes.length > next.length) node.lastChild.remove()
}

const dispatch = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }))

let announcedMs = 0
const announce = () => {
  const text = document.getElementById('in-short')?.textContent?.replace(/\s+/g, ' ').trim()
  if (!text || Date.now() - announcedMs < ANNOUNCE_EVERY_MS) return
  announcedMs = Date.now()
  liveRegion.textContent = text
}

let source
const closeStream = () => {
  source?.close()
  source = undefined
}

const show = (incoming) => {
  dispatch('rollcall:incoming', incoming)
  dispatch('rollcall:before')
  const before = document.getElementById('in-short')?.textContent
  for (const part of document.querySelectorAll('[data-live][id]')) {
    const updated = incoming.getElementById(part.id)
    if (updated) patch(part, updated)
  }
  dispatch('rollcall:after')
  document.title = incoming.title
  if (before !== document.getElementById('in-short')?.textContent) announce()
  const stream = incoming.getElementById('main')?.dataset.stream
  if (stream) return
  delete main.dataset.stream
  closeStream()
}

const request = async (url, accept) => {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { headers: { accept }, cache: 'no-cache', signal })
  if (!response.ok && response.status !== 429) throw new Error(`status ${response.status}`)
  return response.ok ? response.text() : undefined
}

const refresh = async () => {
  const html = await request(location.href, 'text/html')
  if (html) show(new DOMParser().parseFromString(html, 'text/html'))
}

let isReading = false
let isStale = false
const read = async () => {
  if (isReading) {
    isStale = true
    return
  }
  isReading = true
  isStale = false
  // After a failure the next change fetches again.
  await refresh().catch(() => {})
  setTimeout(() => {
    isReading = false
    if (isStale) void read()
  }, MIN_INTERVAL_MS)
}

/** The stream may have ended with the service, without an attempt to connect again. */
const restart = () => {
  closeStream()
  void read()
  listen()
}

const listen = () => {
  const url = main?.dataset.stream
  if (!url || source || document.hidden) return
  source = new EventSource(url)
  for (const name of ['proposal', 'reset']) source.addEventListener(name, () => void read())
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) return closeStream()
  if (main?.dataset.stream) void read()
  listen()
})
listen()

/** Without a URL, the page itself is asked: the status page has no stream. */
const { health } = main.dataset
const EVERY_MS = health ? 15_000 : 5_000
const AGAIN_MS = 2_000
/** One lost request says nothing. */
const FAILURES = 2

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'long' })
const lost = document.createElement('p')
lost.className = 'site-notice'
lost.setAttribute('role', 'status')
lost.hidden = true
document.getElementById('notice').after(lost)

let answeredAt = new Date()
let failures = 0

const fail = () => {
  failures += 1
  if (failures < FAILURES || !lost.hidden) return
  // Screen readers announce a text that changes in a visible element.
  lost.hidden = false
  lost.textContent = `Rollcall has not responded since ${clock.format(answeredAt)}. This page may be out of date.`
}

const succeed = () => {
  const wasLost = !lost.hidden
  answeredAt = new Date()
  failures = 0
  lost.hidden = true
  lost.textContent = ''
  if (wasLost) restart()
}

/** The server writes the notice, so a change of it has the page read again: while the past is still to come, each time. */
const compare = ({ catchUp, noBlockSince }) => {
  const said = noBlockSince ?? (catchUp === null ? '' : 'catching up')
  if (catchUp === null && said === (main.dataset.said ?? '')) return
  main.dataset.said = said
  restart()
}

const ask = async () => {
  if (!health) return refresh()
  const body = await request(health, 'application/json')
  if (body) compare(JSON.parse(body))
}

const repeat = async () => {
  if (!document.hidden) await ask().then(succeed, fail)
  setTimeout(repeat, failures > 0 && failures < FAILURES ? AGAIN_MS : EVERY_MS)
}
setTimeout(repeat, health ? 0 : EVERY_MS)
