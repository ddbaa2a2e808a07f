// Says on an open page that the service no longer responds, and has live parts read again when no block comes any more.
const EVERY_MS = 15_000
const AGAIN_MS = 2_000
const TIMEOUT_MS = 8_000
/** One lost request says nothing. */
const FAILURES = 2

const notice = document.getElementById('notice')
const main = document.getElementById('main')
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'long' })

const lost = document.createElement('p')
lost.className = 'site-notice'
lost.setAttribute('role', 'status')
lost.hidden = true
notice.after(lost)

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
  if (wasLost) document.dispatchEvent(new CustomEvent('rollcall:stale'))
}

/** The server writes the notice, so a change of it has the page read again: while the past is still to come, each time. */
const compare = ({ catchUp, noBlockSince }) => {
  const said = noBlockSince ?? (catchUp === null ? '' : 'catching up')
  if (catchUp === null && said === (main.dataset.said ?? '')) return
  main.dataset.said = said
  document.dispatchEvent(new CustomEvent('rollcall:stale'))
}

const ask = async () => {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(main.dataset.health, { cache: 'no-store', signal })
  if (!response.ok && response.status !== 429) throw new Error(`status ${response.status}`)
  succeed()
  if (response.ok) compare(await response.json())
}

const repeat = async () => {
  if (!document.hidden) await ask().catch(fail)
  setTimeout(repeat, failures > 0 && failures < FAILURES ? AGAIN_MS : EVERY_MS)
}

// The status page asks by itself.
document.addEventListener('rollcall:failed', fail)
document.addEventListener('rollcall:answered', succeed)
if (main.dataset.health) void repeat()
