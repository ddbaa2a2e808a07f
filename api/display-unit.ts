// The unit in which people read amounts: a name for so many of the chain's base unit. Whole numbers and strings only.

export type DisplayUnit = {
  /** As shown behind the amount. */
  name: string
  denom: string
  /** Places by which the point moves to the left. */
  decimals: number
}

/** `ATOM=uatom/6`. */
const DISPLAY_UNIT_PATTERN =
  /^([A-Za-z][A-Za-z0-9._-]{0,15})=([A-Za-z][A-Za-z0-9/:._-]{0,127})\/([0-9]{1,2})$/
const MAX_DECIMALS = 36

export const readDisplayUnit = (raw: string) => {
  const [, name, denom, places] = DISPLAY_UNIT_PATTERN.exec(raw) ?? []
  const decimals = Number(places)
  return name !== undefined && denom !== undefined && decimals <= MAX_DECIMALS
    ? { ok: true as const, value: { name, denom, decimals } satisfies DisplayUnit }
    : {
        ok: false as const,
        expected: 'a name, the base denom and the places the point moves, such as ATOM=uatom/6',
      }
}

const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]+))?$/

/** The same number with thousands apart by narrow spaces; undefined where it is no decimal. */
export const groupThousands = (amount: string): string | undefined => {
  const [, sign, whole, rest] = DECIMAL.exec(amount) ?? []
  if (sign === undefined || whole === undefined) return undefined
  const apart = whole.replace(/\B(?=(?:[0-9]{3})+$)/g, '\u202f')
  return `${sign}${apart}${rest === undefined ? '' : `.${rest}`}`
}

/** The point moved to the left; exact, without zeros at the end. */
export const convertToUnit = (amount: string, { decimals }: DisplayUnit): string | undefined => {
  const [, sign, whole, rest = ''] = DECIMAL.exec(amount) ?? []
  if (sign === undefined || whole === undefined) return undefined
  const digits = whole.padStart(decimals + 1, '0')
  const at = digits.length - decimals
  const moved = digits.slice(0, at).replace(/^0+(?=[0-9])/, '')
  const fraction = `${digits.slice(at)}${rest}`.replace(/0+$/, '')
  return `${sign}${moved}${fraction === '' ? '' : `.${fraction}`}`
}

/** Cut, never rounded up, to this many places: for people who have the exact one at hand. */
export const truncateTo = (amount: string, places: number): string => {
  const [whole = '', fraction = ''] = amount.split('.')
  const kept = fraction.slice(0, places).replace(/0+$/, '')
  return kept === '' ? whole : `${whole}.${kept}`
}
