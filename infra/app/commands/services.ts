// `rollcall api` and its like: one service of a distributed deployment, in the foreground.
import { apiService } from '../services/api.ts'
import { authService } from '../services/auth.ts'
import { ingestService } from '../services/ingest.ts'
import { projectionsService } from '../services/projections.ts'
import { runService, type Service } from '../services/service-process.ts'
import { type Command, type Example, refuseArguments } from './command.ts'

type About = Pick<Command, 'summary'> & { service: Service; examples: readonly Example[] }

const serviceCommand = ({ service, summary, examples }: About): Command => {
  const command: Command = {
    name: service.name,
    summary,
    mindsSignals: true,
    examples,
    run: async (context) => {
      refuseArguments(context, command)
      await runService(service, context)
      return 0
    },
  }
  return command
}

const KAFKA = 'KAFKA_BROKERS=kafka-1:9092,kafka-2:9092 CHAIN_ID=cosmoshub-4'

export const ingest = serviceCommand({
  service: ingestService,
  summary: 'ingest alone, onto Kafka; of several of them one works and the others stand by',
  examples: [
    {
      line: `${KAFKA} CHAIN_RPC_URLS=https://rpc.example.org rollcall ingest`,
      says: 'start it twice, on two machines: one takes over from the other',
    },
  ],
})

export const projections = serviceCommand({
  service: projectionsService,
  summary: 'the projections alone, from Kafka into ClickHouse; one works, the others stand by',
  examples: [
    {
      line: `${KAFKA} CLICKHOUSE_URL=https://clickhouse.example.org:8443 rollcall projections`,
      says: 'makes its databases and tables where they are missing',
    },
  ],
})

export const api = serviceCommand({
  service: apiService,
  summary: 'the read API alone, on a ClickHouse that others fill; any number of them',
  examples: [
    {
      line: 'CLICKHOUSE_URL=https://clickhouse.example.org:8443 CLICKHOUSE_USERNAME=rollcall HOST=0.0.0.0 rollcall api',
      says: 'at port 8080 of every address; CLICKHOUSE_PASSWORD comes from the environment too',
    },
  ],
})

export const auth = serviceCommand({
  service: authService,
  summary: 'registration, tokens, claims and revocation alone; any number of them on one log',
  examples: [
    {
      line: 'BASE_URL=https://gov.example.org DATA_DIR=/srv/rollcall HOST=0.0.0.0 PORT=8081 rollcall auth',
      says: 'behind a gateway that sends it /agent, /oauth2, /delegation and the well-known documents',
    },
  ],
})
