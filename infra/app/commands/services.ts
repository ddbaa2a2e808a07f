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

const serviceCommand = (
  service: Service,
  described: Pick<Command, 'summary' | 'examples'>,
  isPart = false,
): Command => {
  const { name } = service
  return {
    name,
    ...described,
    handlesSignals: true,
    options: {
      [SUPERVISED]: 'read secrets as one line of JSON from standard input, and end with it',
    },
    run: async (context) => {
      const isSupervised = context.options[SUPERVISED] === true
      if (isPart && !isSupervised) throw new UsageError(`"${name}" is a part of "rollcall start"`)
      await runService(service, { ...context, isSupervised })
      return 0
    },
  }
}

const KAFKA = 'KAFKA_BROKERS=kafka-1:9092,kafka-2:9092 CHAIN_ID=cosmoshub-4'
const CLICKHOUSE = 'CLICKHOUSE_URL=https://clickhouse.example.org:8443'

export const SERVICE_COMMANDS = [
  serviceCommand(SERVICES.ingest, {
    summary: 'run only ingest, into Kafka; one instance leads, others are on standby',
    examples: [
      [
        `${KAFKA} CHAIN_RPC_URLS=https://rpc.example.org rollcall ingest`,
        'run one on each of two machines: if one fails, the other takes over',
      ],
    ],
  }),
  serviceCommand(SERVICES.projections, {
    summary: 'run only the projections, from Kafka into ClickHouse; one instance leads',
    examples: [
      [`${KAFKA} ${CLICKHOUSE} rollcall projections`, 'creates missing databases and tables'],
    ],
  }),
  serviceCommand(SERVICES.api, {
    summary: 'run only the read API, on ClickHouse; any number of instances',
    examples: [
      [
        `${CLICKHOUSE} CLICKHOUSE_USERNAME=rollcall HOST=0.0.0.0 rollcall api`,
        'listen on port 8080 of all addresses; set CLICKHOUSE_PASSWORD too',
      ],
    ],
  }),
  serviceCommand(SERVICES.auth, {
    summary: 'run only auth: registration, tokens, claims, revocation; any number of instances',
    examples: [
      [
        'BASE_URL=https://gov.example.org DATA_DIR=/srv/rollcall HOST=0.0.0.0 PORT=8081 rollcall auth',
        'behind a gateway that routes /agent, /oauth2, /delegation and /.well-known to it',
      ],
    ],
  }),
]

/** Not in the lists of commands: they are not for users. */
export const PARTS_OF_START = [
  serviceCommand(SERVICES.writer, { summary: 'run ingest and the projections' }, true),
  serviceCommand(SERVICES.reader, { summary: 'run auth and the API' }, true),
]
