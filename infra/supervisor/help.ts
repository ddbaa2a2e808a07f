// The text of `rollcall --help`: every command, setting and exit code, from where each is defined.
import type { Setting } from '../runtime/config.ts'

export type HelpContents = {
  settings: readonly (readonly [string, Readonly<Record<string, Setting<unknown>>>])[]
  exitCodes: readonly (readonly [number, string])[]
}

const USAGE = `Rollcall keeps a complete record of a chain's governance and serves it.

usage:
  rollcall start      run everything on this machine until Ctrl-C
  rollcall tally verify <proposal id> [--round <n>] [--url <address>] [--json]
                      recompute a tally from its served evidence alone, and compare
  rollcall --help     this text
  rollcall --version

examples:
  rollcall start
      the recorded demo chain, at http://127.0.0.1:8080
  CHAIN_RPC_URLS=https://rpc-1.example.org,https://rpc-2.example.org rollcall start
      any Cosmos SDK chain; several endpoints of one chain take over from each other
  CHAIN_RPC_URLS=https://rpc.example.org START_HEIGHT=tip DATA_DIR=/srv/rollcall PORT=80 rollcall start
      from the newest height on, in a directory and at a port of your own
  curl http://127.0.0.1:8080/api/proposals
  rollcall tally verify 7
      every pool's part, the sums, the decision; exit code 0 where the tally is the chain's own
`

const defaultText = ({ default: value, optional }: Setting<unknown>['options']): string => {
  if (value !== undefined) return ` (default ${value})`
  return optional ? ' (optional)' : ''
}

const settingLine = ({ name, options }: Setting<unknown>): string =>
  `  ${name.padEnd(27)} ${options.description ?? ''}${defaultText(options)}`

export const helpText = ({ settings, exitCodes }: HelpContents): string =>
  [
    USAGE,
    'settings, from the environment:',
    ...settings.flatMap(([service, group]) => [
      ` ${service}`,
      ...Object.values(group).map(settingLine),
    ]),
    '',
    'exit codes:',
    ...exitCodes.map(([code, meaning]) => `  ${String(code).padEnd(4)}${meaning}`),
  ].join('\n')
