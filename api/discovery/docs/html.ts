// Text into HTML, so that nothing in it can be taken for markup. Pure.

export const asText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** The little Markdown that the description of the API is written in: `code`, **bold**, paragraphs. */
export const inline = (text: string): string =>
  asText(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')

export const paragraphs = (text: string): string =>
  text
    .split('\n\n')
    .map((part) => `<p>${inline(part)}</p>`)
    .join('\n')

/** Nothing where there are no rows. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  caption: string,
): string => {
  if (rows.length === 0) return ''
  const cells = (tag: 'th' | 'td', row: readonly string[]) =>
    row.map((cell) => (tag === 'th' ? `<th scope="col">${cell}</th>` : `<td>${cell}</td>`)).join('')
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n')
  return `<div class="wide" role="region" tabindex="0" aria-label="${asText(caption)}"><table>
<caption>${asText(caption)}</caption>
<thead><tr>${cells('th', head)}</tr></thead>
<tbody>
${body}
</tbody></table></div>`
}
