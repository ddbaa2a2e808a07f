// `rollcall start`, and one service in the foreground: `rollcall api`, `ingest`, `projections` and `auth` of a deployment, and the two
// services that `rollcall start` runs on one machine.
import { runService, type Service, SUPERVISED } from '../services/service-process.ts'
import { SERVICES } from '../services/services.ts'
import { readSettings } from '../settings.ts'
import { type Command, UsageError } from './command.ts'

export const start: Command = {
  name: 'start',
  summary: 'run everything on this machine until Ctrl-C',
  arguments: '[<chain>]',
  handlesSignals: true,
  examples: [
    ['rollcall start', 'serve the recorded demo chain at http://127.0.0.1:8080'],
    [
      'rollcall start cosmoshub',
      'serve a chain of the public chain registry, with endpoints that Rollcall diagnoses and chooses',
    ],
    [
      'CHAIN_RPC_URLS=https://rpc-1.example.org,https://rpc-2.example.org rollcall start',
      'serve any Cosmos SDK chain, with failover between its endpoints',
    ],
    [
      'CHAIN_RPC_URLS=https://rpc.example.org START_HEIGHT=earliest DATA_DIR=/srv/rollcall PORT=80 rollcall start',
      'index from the first height that the node has, with another directory and port',
    ],
    ['curl http://127.0.0.1:8080/api/proposals', 'query the API'],
  ],
  run: async ({ args: [chain, ...rest], env, process }) => {
    if (rest.length > 0) throw new UsageError(`"start" takes one chain, got "${rest[0]}" too`)
    const { machine, store, api } = readSettings(env)
    const { runMachine } = await import('../start/machine.ts')
    await runMachine({ env, chain, config: machine, store, api, process })
    return 0
  },
}

const toCommand = (service: Service): Command => {
  const { name, summary, examples = [], isPart = false } = service
  return {
    name,
    summary,
    examples,
    handlesSignals: true,
    options: {
      [SUPERVISED]: 'read the last settings as one line of JSON, and end with standard input',
    },
    run: async (context) => {
      const isSupervised = context.options[SUPERVISED] === true
      if (isPart && !isSupervised) throw new UsageError(`"${name}" is a part of "rollcall start"`)
      await runService(service, { ...context, isSupervised })
      return 0
    },
  }
}

const services: readonly Service[] = Object.values(SERVICES)

export const SERVICE_COMMANDS = services.filter(({ isPart }) => !isPart).map(toCommand)

/** Not in the lists of commands: they are not for users. */
export const PARTS_OF_START = services.filter(({ isPart }) => isPart).map(toCommand)
