#!/usr/bin/env node
// The program `rollcall`: finds and runs a command. Only this file reads the environment.
import { hasCode } from '../base/runtime/errors.ts'
import { EXIT_CODES, toExitCode } from '../base/runtime/exit-codes.ts'
import { readVersion } from '../base/runtime/product-files.ts'
import { type Command, parseArguments, UsageError } from './commands/command.ts'
import { doctor } from './commands/doctor.ts'
import { commandHelpText, createCommandsList, helpText, settingsList } from './commands/help.ts'
import { keysList, keysRotate } from './commands/keys.ts'
import { exportCommand, importCommand, replay } from './commands/log.ts'
import { rebuild } from './commands/rebuild.ts'
import { clickhouse, demoNode } from './commands/servers.ts'
import { PARTS_OF_START, SERVICE_COMMANDS, start } from './commands/services.ts'
import { proofVerify, tallyVerify, verify } from './commands/verify.ts'
import { findUnusedVariables, unusedVariableText } from './settings.ts'
import { createTerminal, type Terminal, toSafeText } from './terminal/terminal.ts'

const commandsList = createCommandsList(() => COMMANDS)

/** In the order of the list. */
const COMMANDS: readonly Command[] = [
  start,
  ...SERVICE_COMMANDS,
  demoNode,
  clickhouse,
  tallyVerify,
  proofVerify,
  verify,
  doctor,
  replay,
  exportCommand,
  importCommand,
  rebuild,
  keysRotate,
  keysList,
  commandsList,
  settingsList,
]

/** What an operator needs in the first hour. */
const FIRST_COMMANDS = [start, doctor, verify, rebuild, commandsList, settingsList]

/** Fires on the first signal; the second ends the process at once. */
const createStopSignal = ({ handlesSignals }: Command): AbortSignal => {
  const controller = new AbortController()
  if (handlesSignals) return controller.signal
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(EXIT_CODES.software)
      controller.abort()
    })
  }
  return controller.signal
}

/** A reader such as `head` may close the pipe: that is not a failure. */
const ignoreClosedPipes = ({ handlesSignals }: Command): void => {
  if (handlesSignals) return
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exit(toExitCode(error))
    })
  }
}

/** `doctor` has them among its findings, and `start` has warned already. */
const warnOfUnusedVariables = (command: Command, terminal: Terminal): void => {
  if (command === doctor || PARTS_OF_START.includes(command)) return
  for (const unused of findUnusedVariables(process.env)) {
    terminal.log(`rollcall: warning: ${unusedVariableText(unused)}`)
  }
}

const run = async (args: string[]): Promise<number> => {
  const invocation = parseArguments(args, [...COMMANDS, ...PARTS_OF_START])
  const terminal = createTerminal(process.stdout, process.stderr)
  if (invocation.kind === 'version') terminal.print(readVersion())
  else if (invocation.kind === 'help') {
    terminal.print(
      invocation.command ? commandHelpText(invocation.command) : helpText(FIRST_COMMANDS),
    )
  } else {
    const { command, given } = invocation
    warnOfUnusedVariables(command, terminal)
    const signal = createStopSignal(command)
    ignoreClosedPipes(command)
    const version = readVersion()
    return await command.run({ ...given, env: process.env, terminal, signal, process, version })
  }
  return EXIT_CODES.ok
}

const explain = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  if (hasCode(error, 'ABORTED')) return message === 'aborted' ? 'interrupted' : message
  if (!(error instanceof UsageError)) return message
  return `${message}\nsee "rollcall commands" and "rollcall <command> --help"`
}

run(process.argv.slice(2)).then(
  (code) => {
    // Not `process.exit`: buffered output must reach the pipe.
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(`rollcall: ${toSafeText(explain(error))}`)
    process.exit(error instanceof UsageError ? EXIT_CODES.usage : toExitCode(error))
  },
)
