// Decimals as facts spell them: up to 18 places, held as integers of 1e-18 ("atto"). Never a float.

/** One whole unit in atto. */
export const ATTO = 10n ** 18n

const PLACES = 18
const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]{1,18}))?$/

/** `"0.334"` → 334000000000000000n. Throws a RangeError on anything but a decimal of ≤ 18 places. */
export const parseDecimal = (text: string): bigint => {
  const match = DECIMAL.exec(text)
  if (!match) throw new RangeError(`not a decimal of up to ${PLACES} places: ${text}`)
  const [, sign, whole, fraction = ''] = match
  const atto = BigInt(whole + fraction.padEnd(PLACES, '0'))
  return sign ? -atto : atto
}

/** 334000000000000000n → `"0.334"`: up to 18 places, trailing zeros dropped. */
export const formatDecimal = (atto: bigint): string => {
  const magnitude = atto < 0n ? -atto : atto
  const whole = (magnitude / ATTO).toString()
  const fraction = (magnitude % ATTO).toString().padStart(PLACES, '0').replace(/0+$/, '')
  const text = fraction === '' ? whole : `${whole}.${fraction}`
  return atto < 0n ? `-${text}` : text
}
