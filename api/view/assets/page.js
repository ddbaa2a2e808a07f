// Shows times in the time zone of the reader, with its name, and counts down to end times. The title has the exact time.
// The language of dates is that of the page, like its numbers.
const zoned = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' })
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

const inWords = (seconds) => {
  const first = Math.max(
    0,
    UNITS.findIndex(([, size]) => seconds >= size),
  )
  let rest = Math.floor(seconds)
  const words = []
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? '' : 's'}`)
  }
  return words.join(' ')
}

/** Also called for a fetched page before it is patched in. */
const showTimes = (root) => {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const exact = time.getAttribute('datetime')
    const date = new Date(exact)
    if (Number.isNaN(date.getTime())) continue
    time.title = exact
    if (!time.classList.contains('left')) time.textContent = zoned.format(date)
  }
}

/** Whether the clock agreed with the chain when the page was read: a recorded chain has past times. */
let isOfToday = false
const compareClocks = () => {
  const shown = document.querySelector('#as-of time')?.getAttribute('datetime')
  isOfToday = Math.abs(Date.now() - Date.parse(shown ?? '')) < 300_000
}

const countDown = () => {
  if (!isOfToday) return
  for (const time of document.querySelectorAll('time.left')) {
    const seconds = (Date.parse(time.getAttribute('datetime')) - Date.now()) / 1_000
    time.textContent = seconds >= 1 ? `in ${inWords(seconds)}` : 'with the next block'
  }
}

showTimes(document)
compareClocks()
document.addEventListener('rollcall:after', compareClocks)
document.addEventListener('rollcall:incoming', ({ detail }) => showTimes(detail))
setInterval(countDown, 1_000)
