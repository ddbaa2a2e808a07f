// The operator port of the machine: merges the responses of the operator ports of the children.
import {
  bothReady,
  type OperatorsServer,
  type Readiness,
  startOperatorsServer,
} from '../../base/http/operators.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import type { Metrics } from '../../base/runtime/metrics.ts'
import { ask } from '../tools/rollcall-client.ts'

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
  const read = ({ status, text }: { status: number; text: string }): Readiness => {
    const { ready: _, reasons = [], ...details } = JSON.parse(text) as Partial<Readiness>
    const ready = status === 200
    return { ready, reasons: reasons.map((reason) => `${name}: ${reason}`), details }
  }
  const answer = await ask(new URL('/readyz', url), read)
  return answer ?? { ready: false, reasons: [`${name}: does not answer`] }
}

/** A service that does not respond has no metrics and is not ready. */
export function startMachineOperators(options: MachineOperatorsOptions): Promise<OperatorsServer> {
  const { services } = options
  return startOperatorsServer({
    ...options,
    metrics: [options.metrics],
    ready: async () => {
      const down = options.down()
      const running = [...services].filter(([name]) => !down.has(name))
      const answers = await Promise.all(running.map(([name, url]) => readReadiness(name, url)))
      const reasons = [...down].map(([child, reason]) => `${child}: ${reason}`)
      return answers.reduce(bothReady, { ready: reasons.length === 0, reasons })
    },
    moreMetrics: async () => {
      const read = (url: string) => ask(new URL('/metrics', url), ({ text }) => text)
      return (await Promise.all([...services.values()].map(read))).join('')
    },
  })
}
