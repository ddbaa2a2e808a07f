// Sorts tables marked `data-sortable` by column, and filters them by text and by vote. It uses only the rows of the page.
// The fragment of the address has the filters, as in `#votes?vote=no`, so that they can be shared.
const WIDE = matchMedia('(min-width: 52.01rem)')
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

const sortValue = (row, column) =>
  row.cells[column]?.dataset.sort ?? row.cells[column]?.textContent ?? ''

const isWhole = (text) => /^-?\d+$/.test(text)

/** Compares whole numbers of any length exactly. Unknown values come last. */
const compare = (one, other) => {
  if (one === '' || other === '') return (one === '') - (other === '')
  if (isWhole(one) && isWhole(other)) {
    const [left, right] = [BigInt(one), BigInt(other)]
    return left < right ? -1 : Number(left > right)
  }
  return collator.compare(one, other)
}

const control = (label, element) => {
  const field = document.createElement('label')
  field.className = 'field'
  const name = document.createElement('span')
  name.textContent = label
  field.append(name, element)
  return field
}

/** Adds the controls. Also called for a fetched page before it is patched in. */
const decorate = (table) => {
  const [body] = table.tBodies
  const heads = [...table.tHead.rows[0].cells]
  const word = document.createElement('input')
  word.type = 'search'
  const choice = document.createElement('select')
  const choices = new Map([...body.rows].map((row) => [row.dataset.choice, row.dataset.choiceName]))
  for (const [value, name] of [['', 'Any'], ...choices]) choice.append(new Option(name, value))
  const order = document.createElement('select')
  for (const [n, name] of ['Default order', ...heads.map((head) => head.textContent)].entries()) {
    order.append(new Option(name, n - 1))
  }
  const count = document.createElement('p')
  count.className = 'small soft'
  count.setAttribute('role', 'status')
  const sortField = control('Sort by', order)
  sortField.classList.add('cards-only')
  const fields = document.createElement('div')
  fields.className = 'filters'
  fields.append(
    control(`Filter by ${table.dataset.sortable}`, word),
    control('Vote', choice),
    sortField,
  )
  const folded = document.createElement('details')
  const summary = document.createElement('summary')
  summary.textContent = 'Filter and sort'
  folded.append(summary, fields)
  const tools = document.createElement('div')
  tools.className = 'table-tools'
  tools.append(folded, count)
  table.closest('.scroll').before(tools)
  for (const head of heads) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'sort'
    button.append(...head.childNodes)
    head.append(button)
  }
}

const parseFragment = (id) => {
  const [start, query = ''] = location.hash.slice(1).split('?', 2)
  return new URLSearchParams(start === id ? query : '')
}

/** Other fragments are kept while nothing is filtered. */
const writeFragment = (id, filters) => {
  const set = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))
  const isOwn = location.hash.startsWith(`#${id}?`)
  if (set.size === 0 && !isOwn) return
  const hash = set.size === 0 ? `#${id}` : `#${id}?${set}`
  if (hash !== location.hash) history.replaceState(history.state, '', hash)
}

const countInWords = (shown, { rows, noun, total }) => {
  if (shown === rows) return ''
  const where = rows < total ? ' on this page' : ''
  return `${shown === 0 ? `No ${noun}s match: ` : ''}${shown} of ${rows} ${noun}s${where}`
}

/** Makes the controls of a decorated table work. */
const enhance = (table) => {
  const [body] = table.tBodies
  const heads = [...table.tHead.rows[0].cells]
  const tools = table.closest('.scroll').previousElementSibling
  const [word, choice, orderChoice] = tools.querySelectorAll('input, select')
  const count = tools.querySelector('[role=status]')
  const { id } = table.closest('section')
  const { sortable: noun, total } = table.dataset
  const order = { column: -1, isDown: false }
  let listed = [...body.rows]
  let chosen = ''

  const sort = () => {
    const { column, isDown } = order
    const sign = isDown ? -1 : 1
    const byValue = (a, b) => {
      const [left, right] = [sortValue(a, column), sortValue(b, column)]
      const isLast = left === '' || right === ''
      return compare(left, right) * (isLast ? 1 : sign)
    }
    const rows = column < 0 ? listed : listed.toSorted(byValue)
    if (rows.some((row, n) => body.rows[n] !== row)) body.append(...rows)
    for (const [n, head] of heads.entries()) {
      if (n === column) head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending')
      else head.removeAttribute('aria-sort')
    }
    orderChoice.value = column
  }
  const filter = () => {
    const query = word.value.trim().toLocaleLowerCase()
    let shown = 0
    for (const row of body.rows) {
      const fits =
        (query === '' || row.cells[0].textContent.toLocaleLowerCase().includes(query)) &&
        (choice.value === '' || row.dataset.choice === choice.value)
      row.hidden = !fits
      if (fits) shown += 1
    }
    const text = countInWords(shown, { rows: body.rows.length, noun, total: Number(total) })
    if (count.textContent !== text) count.textContent = text
    table.hidden = shown === 0
    writeFragment(id, { [noun]: word.value.trim(), vote: choice.value })
  }
  const isNumber = (column) => heads[column]?.classList.contains('number') ?? false
  for (const [column, head] of heads.entries()) {
    head.querySelector('button').addEventListener('click', () => {
      order.isDown = order.column === column ? !order.isDown : isNumber(column)
      order.column = column
      sort()
    })
  }
  orderChoice.addEventListener('change', () => {
    order.column = Number(orderChoice.value)
    order.isDown = isNumber(order.column)
    sort()
  })
  word.addEventListener('input', filter)
  choice.addEventListener('change', filter)
  const read = () => {
    const given = parseFragment(id)
    word.value = given.get(noun) ?? ''
    choice.value = given.get('vote') ?? ''
    if (choice.selectedIndex < 0) choice.value = ''
    filter()
    if (given.size > 0) table.closest('section').scrollIntoView()
  }
  tools.querySelector('details').open = WIDE.matches
  addEventListener('hashchange', read)
  read()
  return {
    /** Restores the order of the server, because a new page is patched in row by row. */
    restore: () => {
      chosen = choice.value
      body.append(...listed)
      for (const row of listed) row.hidden = false
    },
    again: () => {
      listed = [...body.rows]
      choice.value = chosen
      sort()
      filter()
    },
  }
}

const SORTABLE = 'table[data-sortable]'
const enhanced = new Map()
const enhanceAll = () => {
  for (const table of enhanced.keys()) if (!table.isConnected) enhanced.delete(table)
  for (const table of document.querySelectorAll(SORTABLE)) {
    if (!enhanced.has(table)) enhanced.set(table, enhance(table))
  }
}

for (const table of document.querySelectorAll(SORTABLE)) decorate(table)
enhanceAll()
// A fetched page is patched in element by element, so it needs the same controls.
document.addEventListener('rollcall:incoming', ({ detail }) => {
  for (const table of detail.querySelectorAll(SORTABLE)) decorate(table)
})
document.addEventListener('rollcall:before', () => {
  for (const { restore } of enhanced.values()) restore()
})
document.addEventListener('rollcall:after', () => {
  enhanceAll()
  for (const { again } of enhanced.values()) again()
})
