// The texts of `rollcall --help` and of `rollcall <command> --help`, and the commands with the lists behind them.
import type { Setting } from '../../base/runtime/config.ts'
import { EXIT_CODE_MEANINGS } from '../../base/runtime/exit-codes.ts'
import { SETTINGS, type SettingGroup } from '../settings.ts'
import { type Command, type Example, refuseArguments } from './command.ts'

const COLUMN = 30

const defaultText = ({ default: value, isOptional }: Setting): string => {
  if (value !== undefined) return ` (default ${value})`
  return isOptional ? ' (optional)' : ''
}

const settingLine = (setting: Setting): string =>
  `  ${setting.env.padEnd(COLUMN - 2)} ${setting.description ?? ''}${defaultText(setting)}`

const exampleLines = (examples: readonly Example[]): string[] =>
  examples.flatMap(({ line, description }) => [`  ${line}`, `      ${description}`])

const formatUsage = (command: Command): string =>
  ['rollcall', command.name, command.arguments].filter((part) => part !== undefined).join(' ')

/** A name that is too long for its column gets its own line. */
const inColumns = (name: string, text: string): string =>
  name.length < COLUMN
    ? `  ${name.padEnd(COLUMN - 2)} ${text}`
    : `  ${name}\n${' '.repeat(COLUMN + 1)}${text}`

const commandLine = (command: Command): string => inColumns(formatUsage(command), command.summary)

/** Ten lines at most, so with few commands: those of the first hour, and the lists of everything. */
export const helpText = (commands: readonly Command[]): string =>
  [
    "Rollcall keeps a complete record of a chain's governance and serves it.",
    '',
    ...commands.map(commandLine),
    inColumns('rollcall <command> --help', 'show the options and examples of a command'),
    inColumns('rollcall --version', 'print the version'),
  ].join('\n')

export const commandsText = (
  commands: readonly Command[],
  exitCodes: readonly (readonly [number, string])[],
): string =>
  [
    'commands:',
    ...commands.map(commandLine),
    '',
    'examples:',
    ...exampleLines(commands.flatMap(({ examples = [] }) => examples.slice(0, 1))),
    '',
    'exit codes:',
    ...exitCodes.map(([code, meaning]) => `  ${String(code).padEnd(4)}${meaning}`),
  ].join('\n')

export const settingsText = (groups: readonly SettingGroup[]): string =>
  [
    'settings, from the environment:',
    ...groups.flatMap(({ title, settings }) => [` ${title}`, ...settings.map(settingLine)]),
  ].join('\n')

export const commandHelpText = (command: Command): string => {
  const { summary, options = {}, examples = [] } = command
  const optionLines = Object.entries(options).map(([name, { value, description }]) =>
    inColumns(`--${name}${value === undefined ? '' : ` ${value}`}`, description),
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

export const settingsList: Command = {
  name: 'settings',
  summary: 'list every setting, with its default',
  examples: [{ line: 'rollcall settings | grep PORT', description: 'find a setting' }],
  run: async (context) => {
    refuseArguments(context, settingsList)
    context.terminal.print(settingsText(SETTINGS))
    return 0
  },
}

/** `list` has all commands, this one included. */
export const createCommandsList = (list: () => readonly Command[]): Command => {
  const commandsList: Command = {
    name: 'commands',
    summary: 'list every command, with an example of each, and the exit codes',
    run: async (context) => {
      refuseArguments(context, commandsList)
      context.terminal.print(commandsText(list(), EXIT_CODE_MEANINGS))
      return 0
    },
  }
  return commandsList
}
