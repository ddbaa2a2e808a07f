// `rollcall api` and its like: one service of a distributed deployment, in the foreground.
import { apiService } from '../services/api.ts'
import { authService } from '../services/auth.ts'
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
