// The table of a command of `rollcall`: its name, arguments, options and examples, and how they are read. Must not import large
// modules: `--help` loads all commands.
import { parseArgs } from 'node:util'
import type { Environment } from '../../base/runtime/config.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The description of a flag; with a placeholder, such as `<n>`, that of an option with a value. */
export type Option = string | readonly [value: string, description: string]

export type Example = readonly [line: string, description: string]

export type OptionValue = string | boolean

export type CommandContext = {
  /** The positional arguments after the command's name. */
  args: readonly string[]
  options: Readonly<Record<string, OptionValue | undefined>>
  env: Environment
  terminal: Terminal
  /** Fires on Ctrl-C and SIGTERM; never for a command with `handlesSignals`. */
  signal: AbortSignal
  process: NodeJS.Process
  /** The version of Rollcall. */
  version: string
}

export type Command = {
  /** One or two words: `tally verify`. */
  name: string
  summary: string
  /** The arguments in the help: `<proposal id>`. Absent: none is accepted. */
  arguments?: string
  options?: Readonly<Record<string, Option>>
  examples?: readonly Example[]
  /** A service that runs until it is stopped. */
  handlesSignals?: boolean
  /** The exit code. */
  run(context: CommandContext): Promise<number>
}

/** Wrong arguments: the output shows correct usage. */
export class UsageError extends Error {}

/** The value of an option that takes one. */
export function textOption({ options }: CommandContext, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** The value of an option as a whole number. */
export function numberOption(
  context: CommandContext,
  name: string,
  { min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number },
): number | undefined {
  const text = textOption(context, name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (!/^[0-9]{1,15}$/.test(text) || value < min) {
    throw new UsageError(`--${name} must be a whole number of at least ${min}, not "${text}"`)
  }
  if (value > max) throw new UsageError(`--${name} must be at most ${max}, not "${text}"`)
  return value
}

export const HIGHEST_PORT = 65_535

/** The value of an option that takes a URL. */
export function urlOption(context: CommandContext, name: string): string | undefined {
  const url = textOption(context, name)
  if (url === undefined || (URL.canParse(url) && /^https?:/.test(url))) return url
  throw new UsageError(`--${name} must be an http or https URL, not "${url}"`)
}

/** The canonical form of a proposal ID. */
export function parseProposalId(text: string): string {
  if (/^[0-9]{1,20}$/.test(text)) return BigInt(text).toString()
  throw new UsageError(`"${text}" is not a proposal ID: use digits only`)
}

/** The only argument. An error names the command and what it needs. */
export function requireArgument(
  { args: [first, ...rest] }: CommandContext,
  name: string,
  what: string,
): string {
  if (first === undefined) throw new UsageError(`"${name}" needs ${what}`)
  if (rest.length > 0) throw new UsageError(`"${name}" takes ${what}, got "${rest[0]}" too`)
  return first
}

/** Prints a result as JSON with `--json`, else as text. */
export function printResult(
  { terminal, options }: CommandContext,
  result: unknown,
  text: string,
): void {
  terminal.print(options['json'] ? JSON.stringify(result, null, 2) : text)
}

export type Invocation =
  | { kind: 'help'; command: Command | undefined }
  | { kind: 'version' }
  | { kind: 'run'; command: Command; given: Pick<CommandContext, 'args' | 'options'> }

/** The command with the longest matching name. */
const findCommand = (words: readonly string[], commands: readonly Command[]): Command | undefined =>
  commands
    .filter(({ name }) => name.split(' ').every((word, at) => words[at] === word))
    .toSorted((one, other) => other.name.length - one.name.length)[0]

const unknown = (words: readonly string[], commands: readonly Command[]): UsageError => {
  const siblings = commands.filter(({ name }) => name.split(' ')[0] === words[0])
  const known = (siblings.length > 0 ? siblings : commands).map(({ name }) => name).join(', ')
  const shown = siblings.length > 0 ? words.slice(0, 2).join(' ') : words[0]
  return new UsageError(`unknown command "${shown}"; commands: ${known}`)
}

const parseRest = (args: string[], { name, options = {} }: Command) => {
  const known: Record<string, { type: 'boolean' | 'string'; short?: string }> = {
    help: { type: 'boolean', short: 'h' },
  }
  for (const [key, option] of Object.entries(options)) {
    known[key] = { type: typeof option === 'string' ? 'boolean' : 'string' }
  }
  try {
    const { values, positionals } = parseArgs({ args, options: known, allowPositionals: true })
    return { values: values as CommandContext['options'], positionals }
  } catch (error) {
    throw new UsageError(`"${name}": ${error instanceof Error ? error.message : error}`)
  }
}

/** Words before the first option name the command. */
const leadingWords = (args: readonly string[]): string[] => {
  const end = args.findIndex((arg) => arg.startsWith('-'))
  return args.slice(0, end === -1 ? args.length : end)
}

/** Pure. Throws `UsageError`. */
export function parseArguments(args: readonly string[], commands: readonly Command[]): Invocation {
  const words = leadingWords(args)
  const command = findCommand(words, commands)
  if (!command) {
    if (args.includes('--version')) return { kind: 'version' }
    const isHelp = args.length === 0 || args.includes('--help') || args.includes('-h')
    if (words.length > 0) throw unknown(words, commands)
    if (isHelp) return { kind: 'help', command }
    throw new UsageError(`unknown option "${args[0]}"`)
  }
  const { name } = command
  const { values, positionals } = parseRest(args.slice(name.split(' ').length), command)
  if (values['help'] === true) return { kind: 'help', command }
  if (command.arguments === undefined && positionals.length > 0) {
    throw new UsageError(`"${name}" takes no arguments, got "${positionals[0]}"`)
  }
  return { kind: 'run', command, given: { args: positionals, options: values } }
}
