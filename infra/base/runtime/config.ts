// Typed settings from environment variables; reports all mistakes at once. Never reads `process.env` itself.
import { AppError } from './errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A parsed value, or the `expected` format. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; expected: string }

export type SettingOptions<T> = {
  default?: T
  /** Without a default: undefined if the variable is not set, instead of a problem. */
  optional?: boolean
  description?: string
  /** The value never appears in a message. */
  secret?: boolean
  /**
   * An empty value is a problem instead of the default. For settings that name a chain, a server, a file or a protection;
   * a secret always refuses it.
   */
  refusesEmpty?: boolean
}

export type Setting<T> = {
  name: string
  parse(raw: string): Parsed<T>
  options: SettingOptions<T>
  /** Only for the type of the value. */
  readonly result?: T
}

type Settings = Readonly<Record<string, Setting<unknown>>>
export type Resolved<S extends Settings> = {
  [Key in keyof S]: S[Key] extends Setting<infer T> ? T : never
}

type WithoutDefault<T> = SettingOptions<T> & { optional: true; default?: never }

/** Any setting with its own rule. */
export function custom<T>(
  name: string,
  parse: (raw: string) => Parsed<T>,
  options: WithoutDefault<T>,
): Setting<T | undefined>
export function custom<T>(
  name: string,
  parse: (raw: string) => Parsed<T>,
  options?: SettingOptions<T>,
): Setting<T>
export function custom<T>(
  name: string,
  parse: (raw: string) => Parsed<T>,
  options: SettingOptions<T> = {},
): Setting<T> {
  return { name, parse, options }
}

/** Any text that is not empty. */
export function text(name: string, options: WithoutDefault<string>): Setting<string | undefined>
export function text(name: string, options?: SettingOptions<string>): Setting<string>
export function text(name: string, options: SettingOptions<string> = {}): Setting<string> {
  return { name, parse: (value) => ({ ok: true, value }), options }
}

type Bounds = { min?: number; max?: number }

const boundsText = ({ min, max }: Bounds): string => {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}

/** A whole number, optionally within bounds. */
export function integer(
  name: string,
  options: WithoutDefault<number> & Bounds,
): Setting<number | undefined>
export function integer(name: string, options?: SettingOptions<number> & Bounds): Setting<number>
export function integer(
  name: string,
  options: SettingOptions<number> & Bounds = {},
): Setting<number> {
  const expected = `a whole number${boundsText(options)}`
  const parse = (raw: string): Parsed<number> => {
    const value = Number(raw)
    const fits =
      /^-?\d+$/.test(raw) &&
      Number.isSafeInteger(value) &&
      value >= (options.min ?? -Infinity) &&
      value <= (options.max ?? Infinity)
    return fits ? { ok: true, value } : { ok: false, expected }
  }
  return { name, parse, options }
}

/** One of a closed list of words. */
export function oneOf<const T extends string>(
  name: string,
  values: readonly T[],
  options: WithoutDefault<T>,
): Setting<T | undefined>
export function oneOf<const T extends string>(
  name: string,
  values: readonly T[],
  options?: SettingOptions<NoInfer<T>>,
): Setting<T>
export function oneOf<const T extends string>(
  name: string,
  values: readonly T[],
  options: SettingOptions<T> = {},
): Setting<T> {
  const parse = (raw: string): Parsed<T> => {
    const value = values.find((candidate) => candidate === raw)
    return value === undefined
      ? { ok: false, expected: `one of ${values.join(', ')}` }
      : { ok: true, value }
  }
  return { name, parse, options }
}

/** `true` or `false` (also `1`, `0`, `yes`, `no`, `on`, `off`). */
export const flag = (name: string, options: SettingOptions<boolean> = {}): Setting<boolean> => ({
  name,
  parse: (raw) => {
    const word = raw.toLowerCase()
    if (['true', '1', 'yes', 'on'].includes(word)) return { ok: true, value: true }
    if (['false', '0', 'no', 'off'].includes(word)) return { ok: true, value: false }
    return { ok: false, expected: 'true or false' }
  },
  options,
})

type UrlOptions = {
  /** Without their colon. */
  schemes: readonly string[]
  /** Says more of a value that is none of these URLs. */
  explain?: (value: string) => string | undefined
}

const isUrl = (raw: string, schemes: readonly string[]): boolean => {
  if (!URL.canParse(raw)) return false
  const { protocol, hostname } = new URL(raw)
  return schemes.includes(protocol.slice(0, -1)) && hostname !== ''
}

/** URLs, separated by commas or blanks. */
export function urlList(
  name: string,
  options: WithoutDefault<readonly string[]> & UrlOptions,
): Setting<readonly string[] | undefined>
export function urlList(
  name: string,
  options: SettingOptions<readonly string[]> & UrlOptions,
): Setting<readonly string[]>
export function urlList(
  name: string,
  options: SettingOptions<readonly string[]> & UrlOptions,
): Setting<readonly string[]> {
  const { schemes, explain } = options
  const expected = `one or more URLs (${schemes.map((scheme) => `${scheme}://…`).join(', ')}), separated by commas`
  const parse = (raw: string): Parsed<readonly string[]> => {
    const value = raw.split(/[\s,]+/).filter((part) => part !== '')
    const wrong = value.find((part) => !isUrl(part, schemes))
    if (value.length > 0 && wrong === undefined) return { ok: true, value }
    const explanation = wrong === undefined ? undefined : explain?.(wrong)
    return {
      ok: false,
      expected: explanation === undefined ? expected : `${expected}; ${explanation}`,
    }
  }
  return { name, parse, options }
}

export const refusesEmpty = ({ secret, refusesEmpty }: SettingOptions<unknown>): boolean =>
  (refusesEmpty ?? secret) === true

const shown = (raw: string, secret: boolean | undefined): string => {
  if (secret) return 'the given value'
  return JSON.stringify(raw.length > 120 ? `${raw.slice(0, 120)}…` : raw)
}

/** Shells and compose files pass `NAME=` for "not set", which is safe only for some settings. */
const readMissing = ({ name, options }: Setting<unknown>, isEmpty: boolean): Parsed<unknown> => {
  const state = isEmpty ? 'is empty' : 'is not set'
  const hint = options.description ? `: ${options.description}` : ''
  if (options.default === undefined && !options.optional) {
    return { ok: false, expected: `${name} ${state}, and there is no default${hint}` }
  }
  return isEmpty && refusesEmpty(options)
    ? { ok: false, expected: `${name} ${state}; set it, or remove it for the default${hint}` }
    : { ok: true, value: options.default }
}

const readOne = (setting: Setting<unknown>, env: Environment): Parsed<unknown> => {
  const { name, options } = setting
  const raw = env[name]?.trim()
  if (raw === undefined || raw === '') return readMissing(setting, raw === '')
  const parsed = setting.parse(raw)
  if (parsed.ok) return parsed
  return {
    ok: false,
    expected: `${name}: ${shown(raw, options.secret)} is not right; expected ${parsed.expected}`,
  }
}

/** `CONFIG_INVALID` with one line per problem. */
export const configInvalid = (problems: readonly string[], cause?: unknown): AppError => {
  const lines = problems.map((problem) => `  - ${problem}`).join('\n')
  const message = `the configuration is not valid:\n${lines}`
  return new AppError('CONFIG_INVALID', message, { expose: true, cause })
}

/** All settings, or `CONFIG_INVALID` with one line per invalid setting. */
export const readConfig = <const S extends Settings>(
  settings: S,
  env: Environment,
): Resolved<S> => {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [key, setting] of Object.entries(settings)) {
    const read = readOne(setting, env)
    if (read.ok) values[key] = read.value
    else problems.push(read.expected)
  }
  if (problems.length > 0) throw configInvalid(problems)
  return values as Resolved<S>
}
