// Which coding a client takes. Pure, RFC 9110.

export type Coding = 'identity' | 'br' | 'gzip'

/** The weight among a range's parameters: 1 where none is given, 0 where it is no number. */
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

/** Brotli where it is wanted as much as gzip. */
export const chooseCoding = (header: string | undefined): Coding =>
  header === undefined || header === '' ? 'identity' : parseCoding(header)
