// Chooses the content coding for `Accept-Encoding` (RFC 9110). Pure.

export type Coding = 'identity' | 'br' | 'gzip'

/** The weight `q` of a range: 1 if it is absent, 0 if it is not a number. */
export const parseQuality = (parameters: readonly string[]): number => {
  const given = parameters.map((text) => text.trim()).find((text) => /^q=/i.test(text))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return Number.isFinite(quality) ? Math.min(Math.max(quality, 0), 1) : 0
}

const parseCoding = (header: string): Coding => {
  const qualities = new Map<string, number>()
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';')
    qualities.set(name.trim().toLowerCase(), parseQuality(parameters))
  }
  const any = qualities.get('*') ?? 0
  const br = qualities.get('br') ?? any
  const gzip = qualities.get('gzip') ?? any
  if (br > 0 && br >= gzip) return 'br'
  return gzip > 0 ? 'gzip' : 'identity'
}

/** Prefers Brotli to gzip at the same weight. */
export const chooseCoding = (header: string | undefined): Coding =>
  header === undefined || header === '' ? 'identity' : parseCoding(header)
