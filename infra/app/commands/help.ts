// Builds the texts of `rollcall --help` and `rollcall <command> --help`. Pure.
import type { Setting } from '../../runtime/config.ts'
import type { Command, Example } from './command.ts'

type SettingGroup = readonly [string, Readonly<Record<string, Setting<unknown>>>]

export type HelpContents = {
  commands: readonly Command[]
  settings: readonly SettingGroup[]
  exitCodes: readonly (readonly [number, string])[]
}

const COLUMN = 30

const defaultText = ({ default: value, optional }: Setting<unknown>['options']): string => {
  if (value !== undefined) return ` (default ${value})`
  return optional ? ' (optional)' : ''
}

const settingLine = ({ name, options }: Setting<unknown>): string =>
  `  ${name.padEnd(COLUMN - 2)} ${options.description ?? ''}${defaultText(options)}`

const exampleLines = (examples: readonly Example[]): string[] =>
  examples.flatMap(({ line, description }) => [`  ${line}`, `      ${description}`])

const formatUsage = (command: Command): string =>
  ['rollcall', command.name, command.arguments].filter((part) => part !== undefined).join(' ')

/** A name that is too long for its column gets its own line. */
const inColumns = (name: string, text: string): string =>
  name.length < COLUMN
    ? `  ${name.padEnd(COLUMN - 2)} ${text}`
    : `  ${name}\n${' '.repeat(COLUMN + 1)}${text}`

export const helpText = ({ commands, settings, exitCodes }: HelpContents): string =>
  [
    "Rollcall keeps a complete record of a chain's governance and serves it.",
    '',
    'commands:',
    ...commands.map((command) => inColumns(formatUsage(command), command.summary)),
    inColumns('rollcall <command> --help', 'show the options and examples of a command'),
    inColumns('rollcall --version', ''),
    '',
    'examples:',
    ...exampleLines(commands.flatMap(({ examples = [] }) => examples.slice(0, 1))),
    '',
    'settings, from the environment:',
    ...settings.flatMap(([service, group]) => [
      ` ${service}`,
      ...Object.values(group).map(settingLine),
    ]),
    '',
    'exit codes:',
    ...exitCodes.map(([code, meaning]) => `  ${String(code).padEnd(4)}${meaning}`),
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
