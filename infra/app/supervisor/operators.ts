// One operators' port for the whole machine: asks the children's own and joins what they answer.
import type { Logger } from '../../runtime/logger.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import {
  bothReady,
  type OperatorsServer,
  type Readiness,
  startOperatorsServer,
} from '../../runtime/operators-server.ts'

export type MachineOperatorsOptions = {
  host: string
  port: number
  metrics: Metrics
  /** Where each role answers operators now; undefined while it does not run. */
  roles: () => ReadonlyMap<string, string | undefined>
  /** Why a part does not run, by its name; empty while all do. */
  down: () => ReadonlyMap<string, string>
  logger: Logger
}

const ANSWER_TIMEOUT_MS = 2_000

const ask = async (url: string | undefined, path: string): Promise<Response | undefined> => {
  if (url === undefined) return undefined
  try {
    return await fetch(new URL(path, url), { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
  } catch {
    return undefined
  }
}

/** A role that is ready may have reasons too: what an operator should know. */
const readReadiness = async (role: string, url: string | undefined): Promise<Readiness> => {
  const response = await ask(url, '/readyz')
  if (!response) return { ready: false, reasons: [`${role}: does not answer`] }
  const { reasons = [] } = (await response.json()) as Partial<Readiness>
  return { ready: response.ok, reasons: reasons.map((reason) => `${role}: ${reason}`) }
}

/** A role that does not answer has no metrics, and is not ready. */
export const startMachineOperators = (options: MachineOperatorsOptions): Promise<OperatorsServer> =>
  startOperatorsServer({
    ...options,
    metrics: [options.metrics],
    ready: async () => {
      const down = options.down()
      const running = [...options.roles()].filter(([role]) => !down.has(role))
      const answers = await Promise.all(running.map(([role, url]) => readReadiness(role, url)))
      const reasons = [...down].map(([part, reason]) => `${part}: ${reason}`)
      return answers.reduce(bothReady, { ready: reasons.length === 0, reasons })
    },
    moreMetrics: async () => {
      const responses = [...options.roles().values()].map((url) => ask(url, '/metrics'))
      const texts = (await Promise.all(responses)).map((response) => response?.text() ?? '')
      return (await Promise.all(texts)).join('')
    },
  })
