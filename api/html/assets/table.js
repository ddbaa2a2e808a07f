// Tables marked `data-sortable`: sorted by their heads, filtered by a word and by a choice. The rows shown, no others.
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

const sortValue = (row, column) =>
  row.cells[column]?.dataset.sort ?? row.cells[column]?.textContent ?? ''

const isWhole = (text) => /^-?\d+$/.test(text)

/** Whole numbers of any length exactly; what is not known comes last. */
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

const enhance = (table) => {
  const [body] = table.tBodies
  const order = { column: -1, isDown: false }
  const heads = [...table.tHead.rows[0].cells]

  const sort = () => {
    const rows = [...body.rows]
    const { column, isDown } = order
    const sign = isDown ? -1 : 1
    const key = (row) => (column < 0 ? row.dataset.rank : sortValue(row, column))
    rows.sort((a, b) => {
      const isLast = column >= 0 && (key(a) === '' || key(b) === '')
      return compare(key(a), key(b)) * (isLast ? 1 : sign)
    })
    if (rows.some((row, n) => body.rows[n] !== row)) body.append(...rows)
    for (const [n, head] of heads.entries()) {
      if (n === column) head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending')
      else head.removeAttribute('aria-sort')
    }
  }
  const word = document.createElement('input')
  word.type = 'search'
  const choice = document.createElement('select')
  const count = document.createElement('p')
  count.className = 'small soft'
  count.setAttribute('role', 'status')
  const filter = () => {
    const wanted = word.value.trim().toLocaleLowerCase()
    let shown = 0
    for (const row of body.rows) {
      const fits =
        (wanted === '' || row.cells[0].textContent.toLocaleLowerCase().includes(wanted)) &&
        (choice.value === '' || row.dataset.choice === choice.value)
      row.hidden = !fits
      if (fits) shown += 1
    }
    const text = shown === body.rows.length ? '' : `${shown} of the ${body.rows.length} rows here`
    if (count.textContent !== text) count.textContent = text
  }
  for (const [column, head] of heads.entries()) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'sort'
    button.append(...head.childNodes)
    head.append(button)
    button.addEventListener('click', () => {
      const isNumber = head.classList.contains('number')
      order.isDown = order.column === column ? !order.isDown : isNumber
      order.column = column
      sort()
    })
  }
  const choices = new Map([...body.rows].map((row) => [row.dataset.choice, row.dataset.choiceName]))
  for (const [value, name] of [['', 'Any'], ...choices]) {
    choice.append(new Option(name, value))
  }
  const tools = document.createElement('div')
  tools.className = 'filters'
  tools.append(control(`Filter by ${table.dataset.sortable}`, word), control('Vote', choice), count)
  table.closest('.scroll').before(tools)
  word.addEventListener('input', filter)
  choice.addEventListener('change', filter)
  return {
    /** As the server has them: a new page is compared row by row. */
    restore: () => {
      const rows = [...body.rows].sort((a, b) => compare(a.dataset.rank, b.dataset.rank))
      body.append(...rows)
      for (const row of rows) row.hidden = false
    },
    again: () => {
      sort()
      filter()
    },
  }
}

const tables = [...document.querySelectorAll('table[data-sortable]')].map(enhance)
document.addEventListener('rollcall:before', () => {
  for (const table of tables) table.restore()
})
document.addEventListener('rollcall:after', () => {
  for (const table of tables) table.again()
})
