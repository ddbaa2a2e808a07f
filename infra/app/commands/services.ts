// `rollcall api`, `ingest`, `projections`, `auth`: one service of a distributed deployment, in the foreground.
import type { Service } from '../services/service-process.ts'
import { type Command, type Example, refuseArguments } from './command.ts'

type About = Pick<Command, 'name' | 'summary'> & {
  load: () => Promise<Service>
  examples: readonly Example[]
}

const serviceCommand = ({ load, ...about }: About): Command => {
  const command: Command = {
    ...about,
    handlesSignals: true,
    run: async (context) => {
      refuseArguments(context, command)
      const { runService } = await import('../services/service-process.ts')
      await runService(await load(), context)
      return 0
    },
  }
  return command
}

const KAFKA = 'KAFKA_BROKERS=kafka-1:9092,kafka-2:9092 CHAIN_ID=cosmoshub-4'

export const ingest = serviceCommand({
  name: 'ingest',
  load: async () => (await import('../services/ingest.ts')).ingestService,
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
  load: async () => (await import('../services/projections.ts')).projectionsService,
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
  load: async () => (await import('../services/api.ts')).apiService,
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
  load: async () => (await import('../services/auth.ts')).authService,
  summary: 'run only auth: registration, tokens, claims, revocation; any number of instances',
  examples: [
    {
      line: 'BASE_URL=https://gov.example.org DATA_DIR=/srv/rollcall HOST=0.0.0.0 PORT=8081 rollcall auth',
      description:
        'behind a gateway that routes /agent, /oauth2, /delegation and /.well-known to it',
    },
  ],
})
