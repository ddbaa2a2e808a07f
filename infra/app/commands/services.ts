// One service in the foreground: `rollcall api`, `ingest`, `projections` and `auth` of a deployment, and the two services that
// `rollcall start` runs on one machine.
import { SUPERVISED } from '../services/supervised.ts'
import { SERVICES, type ServiceName } from '../services/table.ts'
import { type Command, refuseArguments, UsageError } from './command.ts'

type About = Pick<Command, 'summary' | 'examples'> & {
  name: ServiceName
  /** Only `rollcall start` runs it, which locks the data directory. */
  isPart?: boolean
}

const serviceCommand = ({ isPart = false, ...about }: About): Command => {
  const command: Command = {
    ...about,
    handlesSignals: true,
    options: {
      [SUPERVISED]: {
        type: 'boolean',
        description: 'read the last settings as one line of JSON, and end with standard input',
      },
    },
    run: async (context) => {
      refuseArguments(context, command)
      const isSupervised = context.options[SUPERVISED] === true
      if (isPart && !isSupervised) {
        throw new UsageError(`"${about.name}" is a part of "rollcall start"`)
      }
      const [service, { runService }] = await Promise.all([
        SERVICES[about.name](),
        import('../services/service-process.ts'),
      ])
      await runService(service, { ...context, isSupervised })
      return 0
    },
  }
  return command
}

const KAFKA = 'KAFKA_BROKERS=kafka-1:9092,kafka-2:9092 CHAIN_ID=cosmoshub-4'

export const ingest = serviceCommand({
  name: 'ingest',
  summary: 'run only ingest, into Kafka; one instance leads, others are on standby',
  examples: [
    {
      line: `${KAFKA} CHAIN_RPC_URLS=https://rpc.example.org rollcall ingest`,
      description: 'run one on each of two machines: if one fails, the other takes over',
    },
  ],
})

export const projections = serviceCommand({
  name: 'projections',
  summary: 'run only the projections, from Kafka into ClickHouse; one instance leads',
  examples: [
    {
      line: `${KAFKA} CLICKHOUSE_URL=https://clickhouse.example.org:8443 rollcall projections`,
      description: 'creates missing databases and tables',
    },
  ],
})

export const api = serviceCommand({
  name: 'api',
  summary: 'run only the read API, on ClickHouse; any number of instances',
  examples: [
    {
      line: 'CLICKHOUSE_URL=https://clickhouse.example.org:8443 CLICKHOUSE_USERNAME=rollcall HOST=0.0.0.0 rollcall api',
      description: 'listen on port 8080 of all addresses; set CLICKHOUSE_PASSWORD too',
    },
  ],
})

export const auth = serviceCommand({
  name: 'auth',
  summary: 'run only auth: registration, tokens, claims, revocation; any number of instances',
  examples: [
    {
      line: 'BASE_URL=https://gov.example.org DATA_DIR=/srv/rollcall HOST=0.0.0.0 PORT=8081 rollcall auth',
      description:
        'behind a gateway that routes /agent, /oauth2, /delegation and /.well-known to it',
    },
  ],
})

/** Not in the lists of commands: they are not for users. */
export const PARTS_OF_START: readonly Command[] = [
  serviceCommand({ name: 'writer', summary: 'run ingest and the projections', isPart: true }),
  serviceCommand({ name: 'reader', summary: 'run auth and the API', isPart: true }),
]
