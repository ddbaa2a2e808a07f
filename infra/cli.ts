#!/usr/bin/env node
// The command `rollcall`: reads the arguments and, as the only file that may, the environment.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readSettings, runChild, SETTINGS } from './all-in-one.ts'
import { readRunFile } from './data-dir.ts'
import { AppError } from './runtime/errors.ts'
import { EXIT_CODE_MEANINGS, EXIT_CODES, exitCodeOf } from './supervisor/exit-codes.ts'
import { helpText } from './supervisor/help.ts'
import { runMachine } from './supervisor/run-machine.ts'
import { readMachineConfig } from './supervisor/settings.ts'
import { ROLES } from './supervisor/supervise.ts'

const COMMANDS = ['start', 'tally verify <proposal id>'] as const

class UsageError extends Error {}

/** Beside the sources, and copied beside the compiled files. */
const readVersion = (): string => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

const readArguments = (args: string[]) => {
  try {
    const options = {
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
      round: { type: 'string' },
      url: { type: 'string' },
      json: { type: 'boolean' },
    } as const
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

type Options = ReturnType<typeof readArguments>['values']

/** `tally verify <proposal id>`: the numbers that arguments spell, or what is wrong with them. */
const readVerification = ([verb, proposalId, ...rest]: string[], { round }: Options) => {
  if (verb !== 'verify') throw new UsageError(`there is no command "tally ${verb ?? ''}"`)
  if (proposalId === undefined) throw new UsageError('"tally verify" needs the id of a proposal')
  if (!/^[0-9]{1,20}$/.test(proposalId)) {
    throw new UsageError(`"${proposalId}" is not the id of a proposal: digits only`)
  }
  if (rest.length > 0) throw new UsageError(`"tally verify" takes one id, but got "${rest[0]}"`)
  if (round !== undefined && !/^[1-9][0-9]?$/.test(round)) {
    throw new UsageError(`--round must be a number from 1 on, not "${round}"`)
  }
  const id = BigInt(proposalId).toString()
  return { proposalId: id, round: round === undefined ? undefined : Number(round) }
}

/** Where to ask: as told, else whoever runs in the data directory. */
const serviceUrl = ({ url }: Options): string => {
  if (url !== undefined) {
    if (URL.canParse(url) && /^https?:/.test(url)) return url
    throw new UsageError(`--url must be an http or https address, not "${url}"`)
  }
  const { dataDir } = readMachineConfig(process.env)
  const running = readRunFile(dataDir)
  if (running) return running.url
  throw new AppError(
    'EVIDENCE_UNAVAILABLE',
    `no Rollcall runs in ${dataDir}: start it, set DATA_DIR, or say where with --url`,
  )
}

const verify = async (args: string[], options: Options): Promise<void> => {
  const asked = readVerification(args, options)
  const url = serviceUrl(options)
  // Loaded here alone: a service does not carry it.
  const { verifyTally } = await import('../ingest/verify/verify-tally.ts')
  const { workingText } = await import('../ingest/verify/print.ts')
  const { signal } = new AbortController()
  const working = await verifyTally({ ...asked, url, signal })
  console.log(options.json ? JSON.stringify(working, null, 2) : workingText(working))
  process.exitCode = working.equal ? EXIT_CODES.ok : EXIT_CODES.differs
}

/** Options of another command are mistakes, not to be passed over. */
const refuseOptions = (command: string, { round, url, json }: Options): void => {
  const given = Object.entries({ round, url, json }).find(([, value]) => value !== undefined)
  if (given) throw new UsageError(`"${command}" takes no --${given[0]}`)
}

const run = async (args: string[]): Promise<void> => {
  const { values, positionals } = readArguments(args)
  const [command, ...rest] = positionals
  if (values.version) return console.log(readVersion())
  if (values.help || command === undefined) {
    return console.log(helpText({ settings: SETTINGS, exitCodes: EXIT_CODE_MEANINGS }))
  }
  if (command === 'tally') return verify(rest, values)
  refuseOptions(command, values)
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
