// Updates the page. External values are inserted as text, never as markup.
export const byId = (id) => document.getElementById(id)

export const setText = (id, text) => {
  byId(id).textContent = text
}

/** Only one step is visible. The others are hidden, so the keyboard skips them. */
const STEPS = ['compare', 'choose', 'sign']

const SHOWN_MS = 8_000
let clearing

const setProgress = (text) => {
  clearTimeout(clearing)
  setText('progress', text)
}

/** A message that screen readers announce. It disappears after some seconds. */
export const say = (text) => {
  setProgress(text)
  clearing = setTimeout(() => setText('progress', ''), SHOWN_MS)
}

/** Shows a waiting message with a stop button. An empty text hides it, but keeps a later message. */
export const setWaiting = (text) => {
  const waiting = byId('waiting')
  if (text === '' && !waiting.hidden && byId('progress').textContent === waiting.dataset.text) {
    setProgress('')
  }
  waiting.dataset.text = text
  waiting.hidden = text === ''
  if (text) setProgress(text)
}

export const isWaiting = () => !byId('waiting').hidden

export const clearProblem = () => {
  byId('problem').hidden = true
}

const focusOn = (element) => {
  element.focus()
  element.scrollIntoView({ block: 'nearest' })
}

export const showStep = (step, { focus = true } = {}) => {
  clearProblem()
  for (const each of STEPS) byId(each).hidden = each !== step
  if (focus) focusOn(byId(`${step}-title`))
}

/** Shows the problem before the step that failed. */
export const showProblem = ({ what, next, detail }) => {
  const problem = byId('problem')
  setText('problem-what', what)
  setText('problem-next', next)
  setText('problem-detail', detail)
  const step = STEPS.map(byId).find(({ hidden }) => !hidden)
  step?.before(problem)
  problem.hidden = false
  say('')
  focusOn(problem)
}

/** Shows the result and hides everything else. */
export const showEnd = ({ what, next, facts = [] }) => {
  for (const id of ['attempt', 'problem', ...STEPS]) byId(id).hidden = true
  setText('end-what', what)
  setText('end-next', next)
  byId('end-facts').replaceChildren(
    ...facts.flatMap(([name, value]) => {
      const [term, description] = [document.createElement('dt'), document.createElement('dd')]
      term.textContent = name
      description.textContent = value
      return [term, description]
    }),
  )
  byId('end').hidden = false
  say('')
  document.title = `${what} · ${document.title}`
  byId('end-what').focus()
}

/** In the time zone of the reader. The title has the exact time. */
export const showTime = (id, iso) => {
  const element = byId(id)
  const at = new Date(iso)
  element.dateTime = iso
  element.title = iso
  element.textContent = at.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'long' })
}

const clockText = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

const LAST_CALL_SECONDS = 60

/** Uses the remaining time from the service, because the clock of this machine may be wrong. */
export const startCountdown = ({ expires_in: life, expires_at: iso }, onEnd) => {
  const endsMs = performance.now() + life * 1_000
  let isLastCall = life <= LAST_CALL_SECONDS
  showTime('ends', iso)
  const tick = () => {
    const left = Math.max(0, Math.ceil((endsMs - performance.now()) / 1_000))
    setText('left', clockText(left))
    if (left <= LAST_CALL_SECONDS && !isLastCall) {
      isLastCall = true
      say('One minute is left.')
    }
    if (left > 0) return
    clearInterval(timer)
    onEnd()
  }
  const timer = setInterval(tick, 500)
  tick()
  return () => clearInterval(timer)
}
