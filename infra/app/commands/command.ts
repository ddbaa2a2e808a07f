// The type of a command of `rollcall` and its context. Must not import large modules: `--help` loads all commands.
import type { Environment } from '../../base/runtime/config.ts'
import type { Terminal } from '../terminal/terminal.ts'

export type Option = {
  type: 'string' | 'boolean'
  /** The placeholder of the value in the help: `<n>`. */
  value?: string
  description: string
}

export type Example = { line: string; description: string }

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
  /** The arguments in the help: `<proposal id>`. */
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
export const textOption = ({ options }: CommandContext, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** For a command that takes no arguments. */
export const refuseArguments = ({ args }: CommandContext, { name }: Command): void => {
  if (args.length > 0) throw new UsageError(`"${name}" takes no arguments, got "${args[0]}"`)
}

/** The value of an option as a whole number of at least `min`. */
export const numberOption = (
  context: CommandContext,
  name: string,
  { min }: { min: number },
): number | undefined => {
  const text = textOption(context, name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^[0-9]{1,15}$/.test(text) && value >= min) return value
  throw new UsageError(`--${name} must be a whole number of at least ${min}, not "${text}"`)
}

const HIGHEST_PORT = 65_535

/** 0 selects any free port, if `min` allows it. */
export const portOption = (
  context: CommandContext,
  name: string,
  { min = 0 } = {},
): number | undefined => {
  const port = numberOption(context, name, { min })
  if (port === undefined || port <= HIGHEST_PORT) return port
  throw new UsageError(`--${name} must be a port up to ${HIGHEST_PORT}, not "${port}"`)
}

/** The value of an option that takes a URL. */
export const requireHttpUrl = (url: string, name: string): string => {
  if (URL.canParse(url) && /^https?:/.test(url)) return url
  throw new UsageError(`--${name} must be an http or https URL, not "${url}"`)
}

/** The canonical form of a proposal ID. */
export const parseProposalId = (text: string): string => {
  if (/^[0-9]{1,20}$/.test(text)) return BigInt(text).toString()
  throw new UsageError(`"${text}" is not a proposal ID: use digits only`)
}

/** The canonical proposal ID, which is the only argument. An error names the command. */
export const requireProposalId = (
  { args: [id, ...rest] }: CommandContext,
  name: string,
): string => {
  if (id === undefined) throw new UsageError(`"${name}" needs a proposal ID`)
  const proposalId = parseProposalId(id)
  if (rest.length > 0) throw new UsageError(`"${name}" takes one ID, got "${rest[0]}" too`)
  return proposalId
}

/** Prints a result as JSON with `--json`, else as text. */
export const printResult = (
  { terminal, options }: CommandContext,
  result: unknown,
  text: string,
): void => terminal.print(options['json'] ? JSON.stringify(result, null, 2) : text)
