// Times in the reader's zone, with the exact one in the title. Pages are whole without it.
const zoned = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export const showTimes = (root) => {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const exact = time.dateTime
    const date = new Date(exact)
    if (time.dataset.shown === exact || Number.isNaN(date.getTime())) continue
    time.textContent = zoned.format(date)
    time.title = exact
    time.dataset.shown = exact
  }
}

showTimes(document)
