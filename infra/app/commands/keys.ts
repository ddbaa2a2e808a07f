// `rollcall keys rotate` and `rollcall keys list`: the signing keys in the data directory. Never prints a private key.
import { loginLifeMs, readAuthConfig } from '../../../auth/config.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { resolveDataPaths } from '../data-dir.ts'
import { readDataDir } from '../machine-settings.ts'
import { type Command, type CommandContext, numberOption } from './command.ts'

/** Longer than the cache time of the published keys (`max-age=300`) and the reload interval of instances. */
const LEAD_MINUTES = 10

const readKeysPath = ({ env }: CommandContext): string =>
  resolveDataPaths(readDataDir(env)).keysPath

export const keysRotate: Command = {
  name: 'keys rotate',
  summary: 'create a signing key: published now, signs in 10 minutes',
  options: { in: ['<minutes>', 'minutes until the key signs; 0 (after a leak): immediately'] },
  examples: [
    ['rollcall keys rotate', 'running instances load it automatically'],
    ['rollcall keys rotate --in 0', 'after a leak; then delete the file of the leaked key'],
  ],
  run: async (context) => {
    const minutes = numberOption(context, 'in', { min: 0 }) ?? LEAD_MINUTES
    const { addKey } = await import('../../../auth/keys/key-files.ts')
    const nowMs = Date.now()
    const signsFromMs = nowMs + minutes * 60_000
    const { kid } = await addKey(readKeysPath(context), { nowMs, signsFromMs })
    context.terminal.print(`${kid}  signs from ${new Date(signsFromMs).toISOString()}`)
    return EXIT_CODES.ok
  },
}

export const keysList: Command = {
  name: 'keys list',
  summary: 'list the signing keys and their states, oldest first',
  examples: [['rollcall keys list', 'states: next, signing, overlap (still accepted), retired']],
  run: async (context) => {
    const { createKeyDirectory } = await import('../../../auth/keys/key-files.ts')
    const { keyStates } = await import('../../../auth/keys/key-ring.ts')
    const generations = await createKeyDirectory(readKeysPath(context)).load()
    const overlapMs = loginLifeMs(readAuthConfig(context.env))
    const states = keyStates(generations, Date.now(), overlapMs)
    for (const { generation, state } of states) {
      const from = new Date(generation.signsFromMs).toISOString()
      context.terminal.print(`${generation.kid}  ${state.padEnd(8)} signs from ${from}`)
    }
    return EXIT_CODES.ok
  },
}
