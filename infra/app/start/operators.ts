// The operator port of the machine: merges the responses of the operator ports of the children.

import {
  bothReady,
  type OperatorsServer,
  type Readiness,
  startOperatorsServer,
} from '../../base/http/operators/server.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import type { Metrics } from '../../base/runtime/metrics.ts'
import { ask } from './ask.ts'

export type MachineOperatorsOptions = {
  host: string
  port: number
  metrics: Metrics
  /** The address of the operator port of each service. */
  services: ReadonlyMap<string, string>
  /** The reason of each child that does not run, by its name. */
  down: () => ReadonlyMap<string, string>
  logger: Logger
}

/** A ready service may have reasons too: notes for operators. */
const readReadiness = async (name: string, url: string): Promise<Readiness> => {
  const answer = await ask(new URL('/readyz', url), async (response): Promise<Readiness> => {
    const { ready: _, reasons = [], ...details } = (await response.json()) as Partial<Readiness>
    return { ready: response.ok, reasons: reasons.map((reason) => `${name}: ${reason}`), details }
  })
  return answer ?? { ready: false, reasons: [`${name}: does not answer`] }
}

/** A service that does not respond has no metrics and is not ready. */
export const startMachineOperators = (options: MachineOperatorsOptions): Promise<OperatorsServer> =>
  startOperatorsServer({
    ...options,
    metrics: [options.metrics],
    ready: async () => {
      const down = options.down()
      const running = [...options.services].filter(([name]) => !down.has(name))
      const answers = await Promise.all(running.map(([name, url]) => readReadiness(name, url)))
      const reasons = [...down].map(([child, reason]) => `${child}: ${reason}`)
      return answers.reduce(bothReady, { ready: reasons.length === 0, reasons })
    },
    moreMetrics: async () => {
      const texts = [...options.services.values()].map((url) =>
        ask(new URL('/metrics', url), (response) => response.text()),
      )
      return (await Promise.all(texts)).join('')
    },
  })
