// Reads untrusted JSON: own members only, and one text for equal values.
import { isJsonObject, type JsonObject } from '../../ingest/contract/json.ts'

/** Undefined if there is no such member; `__proto__` is a name like any other. */
export const getMember = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Sorts members by name: equal values have equal texts. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (!isJsonObject(value)) return JSON.stringify(value ?? null)
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join()}}`
}
