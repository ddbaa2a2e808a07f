// The texts of `rollcall --help` and of `rollcall <command> --help`, and the commands with the lists behind them.
import type { Setting } from '../../base/runtime/config.ts'
import { EXIT_CODE_MEANINGS } from '../../base/runtime/exit-codes.ts'
import { SETTINGS } from '../settings.ts'
import type { Command, Example } from './command.ts'

const COLUMN = 30

const exampleLines = (examples: readonly Example[]): string[] =>
  examples.flatMap(([line, description]) => [`  ${line}`, `      ${description}`])

const formatUsage = (command: Command): string =>
  ['rollcall', command.name, command.arguments].filter((part) => part !== undefined).join(' ')

/** A name that is too long for its column gets its own line. */
const inColumns = (name: string, text: string): string =>
  name.length < COLUMN
    ? `  ${name.padEnd(COLUMN - 2)} ${text}`
    : `  ${name}\n${' '.repeat(COLUMN + 1)}${text}`

const commandLine = (command: Command): string => inColumns(formatUsage(command), command.summary)

/** Ten lines at most, so with few commands: those of the first hour, and the lists of everything. */
export function helpText(commands: readonly Command[]): string {
  return [
    "Rollcall keeps a complete record of a chain's governance and serves it.",
    '',
    ...commands.map(commandLine),
    inColumns('rollcall <command> --help', 'show the options and examples of a command'),
    inColumns('rollcall --version', 'print the version'),
  ].join('\n')
}

export function commandsText(commands: readonly Command[]): string {
  return [
    'commands:',
    ...commands.map(commandLine),
    '',
    'examples:',
    ...exampleLines(commands.flatMap(({ examples = [] }) => examples.slice(0, 1))),
    '',
    'exit codes:',
    ...EXIT_CODE_MEANINGS.map(([code, meaning]) => `  ${String(code).padEnd(4)}${meaning}`),
  ].join('\n')
}

export function commandHelpText(command: Command): string {
  const { summary, options = {}, examples = [] } = command
  const optionLines = Object.entries(options).map(([name, option]) =>
    typeof option === 'string'
      ? inColumns(`--${name}`, option)
      : inColumns(`--${name} ${option[0]}`, option[1]),
  )
  return [
    summary,
    '',
    'usage:',
    `  ${formatUsage(command)}${optionLines.length > 0 ? ' [options]' : ''}`,
    ...(optionLines.length > 0 ? ['', 'options:', ...optionLines] : []),
    ...(examples.length > 0 ? ['', 'examples:', ...exampleLines(examples)] : []),
  ].join('\n')
}

const settingLine = ({ env, description = '', default: value, isOptional }: Setting): string => {
  const fallback = value === undefined ? (isOptional ? ' (optional)' : '') : ` (default ${value})`
  return `  ${env.padEnd(COLUMN - 2)} ${description}${fallback}`
}

export const settingsList: Command = {
  name: 'settings',
  summary: 'list every setting, with its default',
  examples: [['rollcall settings | grep PORT', 'find a setting']],
  run: async ({ terminal }) => {
    terminal.print('settings, from the environment:')
    for (const { title, settings } of SETTINGS) {
      terminal.print([` ${title}`, ...settings.map(settingLine)].join('\n'))
    }
    return 0
  },
}

/** `list` has all commands, this one included. */
export function createCommandsList(list: () => readonly Command[]): Command {
  return {
    name: 'commands',
    summary: 'list every command, with an example of each, and the exit codes',
    run: async ({ terminal }) => {
      terminal.print(commandsText(list()))
      return 0
    },
  }
}
