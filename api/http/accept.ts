// Parses `Accept` and `Accept-Encoding`: names with their weights (RFC 9110, section 12.4.2). Pure.

export type Weighted = { name: string; quality: number }

/** The weight `q`: 1 if it is absent, 0 if it is not a number. */
const parseQuality = (parameters: readonly string[]): number => {
  const given = parameters.map((text) => text.trim()).find((text) => /^q=/i.test(text))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return Number.isFinite(quality) ? Math.min(Math.max(quality, 0), 1) : 0
}

/** In lower case. Ignores all parameters except `q`: `text/csv;charset=utf-8` is the same as `text/csv`. */
export const parseAccept = (header: string): Weighted[] =>
  header.split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';')
    return { name: name.trim().toLowerCase(), quality: parseQuality(parameters) }
  })

export const parseQualities = (header: string): ReadonlyMap<string, number> =>
  new Map(parseAccept(header).map(({ name, quality }) => [name, quality]))
