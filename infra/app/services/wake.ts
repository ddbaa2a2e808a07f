// Wakes the reader after each commit of the writer, so that it polls the store seldom: a POST to its operator port.
import { Type } from 'typebox'
import { type Environment, readConfig } from '../../base/runtime/config.ts'
import { ask } from '../tools/rollcall-client.ts'

/** On the operator port of each process that serves the API. */
export const WAKE_PATH = '/wake'

const wakeSettings = Type.Object({
  wakeUrl: Type.Optional(
    Type.String({ env: 'WAKE_URL', description: 'Gets a POST after each commit' }),
  ),
})

export function readWakeConfig(env: Environment) {
  return readConfig(wakeSettings, env)
}

/** A call that fails only delays the reader until its next poll. Commits during a call share the next one. */
export function createWaker(url: string | undefined): () => void {
  if (url === undefined) return () => {}
  const target = new URL(url)
  let isCalling = false
  let isMissed = false
  const call = async (): Promise<void> => {
    isCalling = true
    while (isMissed) {
      isMissed = false
      await ask(target, () => undefined, { method: 'POST' })
    }
    isCalling = false
  }
  return () => {
    isMissed = true
    if (!isCalling) void call()
  }
}
