// `rollcall start`: runs everything on this machine until Ctrl-C.
import { readSettings } from '../settings.ts'
import { type Command, refuseArguments } from './command.ts'

export const start: Command = {
  name: 'start',
  summary: 'run everything on this machine until Ctrl-C',
  handlesSignals: true,
  examples: [
    {
      line: 'rollcall start',
      description: 'serve the recorded demo chain at http://127.0.0.1:8080',
    },
    {
      line: 'CHAIN_RPC_URLS=https://rpc-1.example.org,https://rpc-2.example.org rollcall start',
      description: 'serve any Cosmos SDK chain, with failover between its endpoints',
    },
    {
      line: 'CHAIN_RPC_URLS=https://rpc.example.org START_HEIGHT=earliest DATA_DIR=/srv/rollcall PORT=80 rollcall start',
      description: 'index from the first height that the node has, with another directory and port',
    },
    { line: 'curl http://127.0.0.1:8080/api/proposals', description: 'query the API' },
  ],
  run: async (context) => {
    refuseArguments(context, start)
    const { env, process } = context
    const { machine, store, api } = readSettings(env)
    const { runMachine } = await import('../start/run-machine.ts')
    await runMachine({ env, config: machine, store, api, process })
    return 0
  },
}
