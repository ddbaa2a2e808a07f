// Wakes the reader after each commit of the writer, so that it polls the store seldom: a POST to its operator port.
import { Type } from 'typebox'
import { type Environment, readConfig } from '../../base/runtime/config.ts'

/** On the operator port of each process that serves the API. */
export const WAKE_PATH = '/wake'

const TIMEOUT_MS = 2_000

const wakeSettings = Type.Object({
  wakeUrl: Type.Optional(
    Type.String({ env: 'WAKE_URL', description: 'Gets a POST after each commit' }),
  ),
})

export const readWakeConfig = (env: Environment) => readConfig(wakeSettings, env)

/** A call that fails only delays the reader until its next poll. Commits during a call share the next one. */
export const createWaker = (url: string | undefined): (() => void) => {
  let isCalling = false
  let isMissed = false
  const wake = async (): Promise<void> => {
    if (url === undefined) return
    isMissed = isCalling
    if (isCalling) return
    isCalling = true
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    // The response is read, so that the next call uses the same connection.
    await fetch(url, { method: 'POST', signal }).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    )
    isCalling = false
    if (isMissed) await wake()
  }
  return () => void wake()
}
