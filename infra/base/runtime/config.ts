// Typed settings from environment variables: a TypeBox schema per group, and a reader that reports all mistakes at once.
// Never reads `process.env` itself.
import {
  type StaticDecode,
  type TNumberOptions,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  Type,
} from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from './errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * A group is an object schema with a property for each setting. Each has these keywords beside those of TypeBox.
 * `Type.Decode` turns the text into another value; for a text that is not right it returns undefined.
 */
type Keywords = {
  /** The name of the variable. */
  env: string
  description?: string
  /** The value, decoded, of a variable that is not set. */
  default?: unknown
  /** The right form of the text, if the type does not say it. */
  expected?: string
  /** The value never appears in a message. */
  secret?: boolean
  /**
   * An empty value is a problem instead of the default. For settings that name a chain, a server, a file or a protection;
   * a secret always refuses it.
   */
  refusesEmpty?: boolean
}

/** The values of a group. A setting in `Type.Optional` has no default: it is undefined if the variable is not set. */
export type Config<Group extends TObject> =
  Group extends TObject<infer Settings extends TProperties>
    ? {
        readonly [Key in keyof Settings]: Settings[Key] extends TOptional
          ? StaticDecode<Settings[Key]> | undefined
          : Exclude<StaticDecode<Settings[Key]>, undefined>
      }
    : never

export type Setting = Keywords & { schema: TSchema; isOptional: boolean; refusesEmpty: boolean }

const toSetting = (schema: TSchema): Setting => {
  const keywords = schema as Keywords
  return {
    ...keywords,
    schema,
    isOptional: Type.IsOptional(schema),
    refusesEmpty: (keywords.refusesEmpty ?? keywords.secret) === true,
  }
}

export const listSettings = (group: TObject): Setting[] =>
  Object.values(group.properties).map(toSetting)

/** The parts of a list, separated by commas or blanks. */
export const splitList = (raw: string): string[] =>
  raw.split(/[\s,]+/).filter((part) => part !== '')

/** An `http://` or `https://` URL. */
export const isHttpUrl = (raw: string): boolean =>
  URL.canParse(raw) && /^https?:$/.test(new URL(raw).protocol)

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
])

/** Stricter than `Value.Convert`, for which 1.5 is the integer 1. A text that does not fit stays a text. */
const convert = (schema: TSchema, raw: string): unknown => {
  if (Type.IsInteger(schema)) {
    return /^-?\d+$/.test(raw) && Number.isSafeInteger(Number(raw)) ? Number(raw) : raw
  }
  if (Type.IsBoolean(schema)) return FLAGS.get(raw.toLowerCase()) ?? raw
  return Type.IsArray(schema) ? splitList(raw) : raw
}

const boundsText = (schema: TSchema): string => {
  const { minimum, maximum } = schema as TNumberOptions
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}

const expectedText = ({ schema, expected }: Setting): string => {
  if (expected !== undefined) return expected
  if (Type.IsInteger(schema)) return `a whole number${boundsText(schema)}`
  if (Type.IsEnum(schema)) return `one of ${schema.enum.join(', ')}`
  return Type.IsBoolean(schema) ? 'true or false' : 'another value'
}

const shown = (raw: string, secret: boolean | undefined): string => {
  if (secret) return 'the given value'
  return JSON.stringify(raw.length > 120 ? `${raw.slice(0, 120)}…` : raw)
}

type Read = { value: unknown } | { problem: string }

/** Shells and compose files pass `NAME=` for "not set", which is safe only for some settings. */
const readMissing = (setting: Setting, isEmpty: boolean): Read => {
  const { env, description, isOptional, refusesEmpty } = setting
  const state = isEmpty ? 'is empty' : 'is not set'
  const hint = description ? `: ${description}` : ''
  if (setting.default === undefined && !isOptional) {
    return { problem: `${env} ${state}, and there is no default${hint}` }
  }
  return isEmpty && refusesEmpty
    ? { problem: `${env} ${state}; set it, or remove it for the default${hint}` }
    : { value: setting.default }
}

const readOne = (setting: Setting, environment: Environment): Read => {
  const { env, schema, secret } = setting
  const raw = environment[env]?.trim()
  if (raw === undefined || raw === '') return readMissing(setting, raw === '')
  const converted = convert(schema, raw)
  const value: unknown = Value.Check(schema, converted)
    ? Value.Decode(schema, converted)
    : undefined
  if (value !== undefined) return { value }
  const expected = expectedText(setting)
  return { problem: `${env}: ${shown(raw, secret)} is not right; expected ${expected}` }
}

/** `CONFIG_INVALID` with one line per problem. */
export const configInvalid = (problems: readonly string[], cause?: unknown): AppError => {
  const lines = problems.map((problem) => `  - ${problem}`).join('\n')
  const message = `the configuration is not valid:\n${lines}`
  return new AppError('CONFIG_INVALID', message, { expose: true, cause })
}

/** All settings of a group, or `CONFIG_INVALID` with one line per invalid setting. */
export const readConfig = <Group extends TObject>(
  group: Group,
  environment: Environment,
): Config<Group> => {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [key, schema] of Object.entries(group.properties)) {
    const read = readOne(toSetting(schema), environment)
    if ('value' in read) values[key] = read.value
    else problems.push(read.problem)
  }
  if (problems.length > 0) throw configInvalid(problems)
  return values as Config<Group>
}
