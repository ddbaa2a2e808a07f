// Keeps a page that is open as new as the chain: told by the stream, it reads the page again and changes what differs.
const main = document.getElementById('main')
const QUIET_MS = 1_000
const SAY_EVERY_MS = 10_000

const voice = document.createElement('p')
voice.className = 'hidden'
voice.setAttribute('role', 'status')
document.body.append(voice)

/** What the reader has opened stays open; everything else is as the new page has it. */
const isReaders = (node, name) => node.localName === 'details' && name === 'open'

const patchAttributes = (node, wanted) => {
  for (const { name } of [...node.attributes]) {
    if (!wanted.hasAttribute(name) && !isReaders(node, name)) node.removeAttribute(name)
  }
  for (const { name, value } of wanted.attributes) {
    if (node.getAttribute(name) !== value) node.setAttribute(name, value)
  }
}

/** Nodes are kept where they fit, and with them focus, selection and scroll. */
const patch = (node, wanted) => {
  if (node.isEqualNode(wanted)) return
  if (node.nodeType !== Node.ELEMENT_NODE) {
    node.nodeValue = wanted.nodeValue
    return
  }
  patchAttributes(node, wanted)
  const next = [...wanted.childNodes]
  for (const [n, child] of next.entries()) {
    const own = node.childNodes[n]
    if (!own) node.append(document.importNode(child, true))
    else if (own.nodeType === child.nodeType && own.nodeName === child.nodeName) patch(own, child)
    else own.replaceWith(document.importNode(child, true))
  }
  while (node.childNodes.length > next.length) node.lastChild.remove()
}

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }))

let saidMs = 0
const announce = () => {
  const text = document.getElementById('in-short')?.textContent?.replace(/\s+/g, ' ').trim()
  if (!text || Date.now() - saidMs < SAY_EVERY_MS) return
  saidMs = Date.now()
  voice.textContent = text
}

let source
const hush = () => {
  source?.close()
  source = undefined
}

const show = (incoming) => {
  tell('rollcall:incoming', incoming)
  tell('rollcall:before')
  const before = document.getElementById('in-short')?.textContent
  for (const part of document.querySelectorAll('[data-live][id]')) {
    const wanted = incoming.getElementById(part.id)
    if (wanted) patch(part, wanted)
  }
  tell('rollcall:after')
  if (before !== document.getElementById('in-short')?.textContent) announce()
  const stream = incoming.getElementById('main')?.dataset.stream
  if (stream) return
  delete main.dataset.stream
  hush()
}

let isReading = false
let isOld = false
const read = async () => {
  if (isReading) {
    isOld = true
    return
  }
  isReading = true
  isOld = false
  try {
    const response = await fetch(location.href, {
      headers: { accept: 'text/html' },
      cache: 'no-cache',
    })
    if (response.ok) show(new DOMParser().parseFromString(await response.text(), 'text/html'))
  } catch {
    // The next change tells again.
  }
  setTimeout(() => {
    isReading = false
    if (isOld) void read()
  }, QUIET_MS)
}

const listen = () => {
  const url = main?.dataset.stream
  if (!url || source || document.hidden) return
  source = new EventSource(url)
  for (const name of ['proposal', 'reset']) source.addEventListener(name, () => void read())
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) return hush()
  if (main?.dataset.stream) void read()
  listen()
})
listen()
