// The operator port of the machine: merges the responses of the operator ports of the children.
import type { Logger } from '../../base/runtime/logger.ts'
import type { Metrics } from '../../base/runtime/metrics.ts'
import {
  bothReady,
  type OperatorsServer,
  type Readiness,
  startOperatorsServer,
} from '../../base/runtime/operators-server.ts'

export type MachineOperatorsOptions = {
  host: string
  port: number
  metrics: Metrics
  /** The current operator address of each role; undefined while it does not run. */
  roles: () => ReadonlyMap<string, string | undefined>
  /** The reason of each child that does not run, by its name. */
  down: () => ReadonlyMap<string, string>
  logger: Logger
}

const ANSWER_TIMEOUT_MS = 2_000

/** Undefined if the child does not run, or ends in the middle of its answer. */
const ask = async <Answer>(
  url: string | undefined,
  path: string,
  read: (response: Response) => Promise<Answer>,
): Promise<Answer | undefined> => {
  if (url === undefined) return undefined
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
    return await read(await fetch(new URL(path, url), { signal }))
  } catch {
    return undefined
  }
}

/** A ready role may have reasons too: notes for operators. */
const readReadiness = async (role: string, url: string | undefined): Promise<Readiness> => {
  const answer = await ask(url, '/readyz', async (response): Promise<Readiness> => {
    const { ready: _, reasons = [], ...details } = (await response.json()) as Partial<Readiness>
    return { ready: response.ok, reasons: reasons.map((reason) => `${role}: ${reason}`), details }
  })
  return answer ?? { ready: false, reasons: [`${role}: does not answer`] }
}

/** A role that does not respond has no metrics and is not ready. */
export const startMachineOperators = (options: MachineOperatorsOptions): Promise<OperatorsServer> =>
  startOperatorsServer({
    ...options,
    metrics: [options.metrics],
    ready: async () => {
      const down = options.down()
      const running = [...options.roles()].filter(([role]) => !down.has(role))
      const answers = await Promise.all(running.map(([role, url]) => readReadiness(role, url)))
      const reasons = [...down].map(([child, reason]) => `${child}: ${reason}`)
      return answers.reduce(bothReady, { ready: reasons.length === 0, reasons })
    },
    moreMetrics: async () => {
      const texts = [...options.roles().values()].map((url) =>
        ask(url, '/metrics', (response) => response.text()),
      )
      return (await Promise.all(texts)).join('')
    },
  })
