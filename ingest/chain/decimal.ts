// Decimals of the Cosmos SDK: at most 18 places, held as integers of 1e-18. Never a float.

const SCALE = 18
const UNIT = 10n ** 18n
const PLAIN = /^(\d*)(?:\.(\d{0,18}))?$/

/** Integers of 1e-18, as `LegacyDec` stands on the wire: `"500000000000000000"` → `"0.500…"`. */
export const decimalOfAtto = (atto: string): string | undefined => {
  if (!/^\d+$/.test(atto)) return undefined
  const digits = atto.padStart(SCALE + 1, '0').replace(/^0+(?=\d{19})/, '')
  return `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`
}

/** `"0.5"` → 5·10^17; undefined where the text is no plain decimal of at most 18 places. */
export const attoOfDecimal = (text: string): bigint | undefined => {
  const match = PLAIN.exec(text)
  if (!match || text === '' || text === '.') return undefined
  const [, whole = '', fraction = ''] = match
  return BigInt(whole || '0') * UNIT + BigInt(fraction.padEnd(SCALE, '0'))
}

/** Exactly 18 places, whatever was sent: `"0.5"` → `"0.500000000000000000"`. */
export const normalizeDecimal = (text: string): string | undefined => {
  const atto = attoOfDecimal(text)
  return atto === undefined ? undefined : decimalOfAtto(atto.toString())
}
