// The start of a page as the text in a cursor. A page that ends early is continued within the same page.

/**
 * A page by number, or the page after a position. Each list defines the format of its positions. The first `skip` items of the
 * page are left out.
 */
export type Start = ({ page: number } | { position: string }) & { skip: number }

export const formatStart = (start: Start): string => {
  const at = 'page' in start ? `p${start.page}` : start.position
  return start.skip === 0 ? at : `${at}+${start.skip}`
}

const SKIP = '\\+[1-9][0-9]{0,3}'

/** Accepts the texts of `formatStart`. A page by number is only in cursors that skip items. */
export const createStartPattern = (position: RegExp): RegExp =>
  new RegExp(`${position.source.slice(0, -1)}(?:${SKIP})?$|^p(?:0|[1-9][0-9]{0,8})${SKIP}$`)

/** Parses a text that the pattern accepts. */
export const parseStart = (text: string): Start => {
  const [at = '', skip = '0'] = text.split('+')
  const from = at.startsWith('p') ? { page: Number(at.slice(1)) } : { position: at }
  return { ...from, skip: Number(skip) }
}
