// Live updates: when the stream reports a change, it fetches the page again and patches what differs.
const main = document.getElementById('main')
const MIN_INTERVAL_MS = 1_000
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

let isReading = false
let isStale = false
const read = async () => {
  if (isReading) {
    isStale = true
    return
  }
  isReading = true
  isStale = false
  try {
    const response = await fetch(location.href, {
      headers: { accept: 'text/html' },
      cache: 'no-cache',
    })
    if (response.ok) show(new DOMParser().parseFromString(await response.text(), 'text/html'))
  } catch {
    // The next change fetches again.
  }
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
document.addEventListener('rollcall:stale', restart)
listen()
