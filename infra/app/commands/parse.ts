// Parses arguments into a command with arguments and options, or a usage error. Pure.
import { parseArgs } from 'node:util'
import { type Command, type CommandContext, UsageError } from './command.ts'

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
  const known = Object.fromEntries(
    Object.entries({ ...options, help: { type: 'boolean' as const, short: 'h' } }).map(
      ([key, option]) => [key, { type: option.type, ...('short' in option ? { short: 'h' } : {}) }],
    ),
  )
  try {
    return parseArgs({ args, options: known, allowPositionals: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`"${name}": ${reason}`)
  }
}

/** Words before the first option name the command. */
const leadingWords = (args: readonly string[]): string[] => {
  const end = args.findIndex((arg) => arg.startsWith('-'))
  return args.slice(0, end === -1 ? args.length : end)
}

export const parseArguments = (
  args: readonly string[],
  commands: readonly Command[],
): Invocation => {
  const words = leadingWords(args)
  const command = findCommand(words, commands)
  if (!command) {
    if (args.includes('--version')) return { kind: 'version' }
    const isHelp = args.includes('--help') || args.includes('-h')
    if (words.length === 0 && (isHelp || args.length === 0)) {
      return { kind: 'help', command: undefined }
    }
    if (words.length === 0) throw new UsageError(`unknown option "${args[0]}"`)
    throw unknown(words, commands)
  }
  const { values, positionals } = parseRest(args.slice(command.name.split(' ').length), command)
  if (values['help'] === true) return { kind: 'help', command }
  return { kind: 'run', command, given: { args: positionals, options: values } }
}
