// What header values mean, remembered for the few that most clients send.

/** Browsers send fewer than 200 characters. Longer values are read every time: a stranger can make up any number of them. */
const MAX_LENGTH = 256
const MAX_KNOWN = 100

/** At most `MAX_KNOWN` values of `MAX_LENGTH` characters are kept. */
export const rememberShort = <Meaning extends string | object>(
  read: (text: string) => Meaning,
): ((text: string) => Meaning) => {
  const known = new Map<string, Meaning>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const meaning = read(text)
    if (text.length > MAX_LENGTH) return meaning
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(text, meaning)
    return meaning
  }
}
