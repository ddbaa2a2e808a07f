// Changes one value of any JSON, to test that a verifier detects it.

export type Json = null | string | number | boolean | Json[] | { [name: string]: Json }
type Path = readonly (string | number)[]

/** The path of every text, number and flag of the JSON. */
export const listLeaves = (value: Json, path: Path = []): Path[] => {
  if (Array.isArray(value)) return value.flatMap((item, n) => listLeaves(item, [...path, n]))
  if (value !== null && typeof value === 'object') {
    return Object.entries(value).flatMap(([name, item]) => listLeaves(item, [...path, name]))
  }
  return value === null ? [] : [path]
}

/** Another value of the same form, with one changed digit, letter or bit. */
const altered = (value: Json): Json => {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string' || value === '') return 'AAAA'
  const at = Math.floor(value.length / 2)
  const digit = /[0-9]/.test(value)
    ? [...value].findIndex((one, n) => n >= at && /[0-9]/.test(one))
    : at
  const position = digit < 0 ? value.search(/[0-9]/) : digit
  const next = value[position] === '1' ? '2' : '1'
  return value.slice(0, position) + next + value.slice(position + 1)
}

export const changedAt = (json: Json, [name, ...rest]: Path): Json => {
  if (name === undefined) return altered(json)
  if (Array.isArray(json)) return json.map((item, n) => (n === name ? changedAt(item, rest) : item))
  const object = json as { [name: string]: Json }
  return { ...object, [name]: changedAt(object[name] ?? null, rest) }
}
