// Validates the nesting of untrusted JSON.

export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isNestedWithin = (levels: number, value: unknown): boolean => {
  let level = [value]
  for (let depth = 0; depth < levels && level.length > 0; depth++) {
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    )
  }
  return level.length === 0
}
