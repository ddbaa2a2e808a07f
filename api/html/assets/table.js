// Sorts tables marked `data-sortable` by column, and filters them by text and by vote. It uses only the rows of the page.
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
  const tools = document.createElement('div')
  tools.className = 'filters'
  tools.append(
    control(`Filter by ${table.dataset.sortable}`, word),
    control('Vote', choice),
    sortField,
    count,
  )
  table.closest('.scroll').before(tools)
  for (const head of heads) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'sort'
    button.append(...head.childNodes)
    head.append(button)
  }
}

/** Makes the controls of a decorated table work. */
const enhance = (table) => {
  const [body] = table.tBodies
  const heads = [...table.tHead.rows[0].cells]
  const tools = table.closest('.scroll').previousElementSibling
  const [word, choice, orderChoice] = tools.querySelectorAll('input, select')
  const count = tools.querySelector('[role=status]')
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
    const text = shown === body.rows.length ? '' : `Showing ${shown} of ${body.rows.length} rows`
    if (count.textContent !== text) count.textContent = text
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
