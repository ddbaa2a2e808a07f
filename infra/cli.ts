#!/usr/bin/env node
// The command `rollcall`: reads the arguments and, as the only file that may, the environment.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readSettings, runChild, SETTINGS } from './all-in-one.ts'
import { EXIT_CODE_MEANINGS, EXIT_CODES, exitCodeOf } from './supervisor/exit-codes.ts'
import { helpText } from './supervisor/help.ts'
import { runMachine } from './supervisor/run-machine.ts'
import { ROLES } from './supervisor/supervise.ts'

const COMMANDS = ['start'] as const

class UsageError extends Error {}

/** Beside the sources, and copied beside the compiled files. */
const readVersion = (): string => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

const readArguments = (args: string[]) => {
  try {
    const options = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

const run = async (args: string[]): Promise<void> => {
  const { values, positionals } = readArguments(args)
  const [command, ...rest] = positionals
  if (values.version) return console.log(readVersion())
  if (values.help || command === undefined) {
    return console.log(helpText({ settings: SETTINGS, exitCodes: EXIT_CODE_MEANINGS }))
  }
  if (rest.length > 0) throw new UsageError(`"${command}" takes no argument, but got "${rest[0]}"`)
  const role = ROLES.find((each) => each === command)
  // A role has no meaning but as a child: its orders come over IPC.
  if (role && process.connected) return runChild(role, process.env, process)
  if (command !== 'start') throw new UsageError(`there is no command "${command}"`)
  await runMachine({
    env: process.env,
    config: readSettings(process.env).machine,
    entry: fileURLToPath(import.meta.url),
    process,
  })
}

const explain = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof UsageError)) return message
  return `${message}; commands: ${COMMANDS.join(', ')}; "rollcall --help" explains them`
}

run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`rollcall: ${explain(error)}`)
  process.exit(error instanceof UsageError ? EXIT_CODES.usage : exitCodeOf(error))
})
