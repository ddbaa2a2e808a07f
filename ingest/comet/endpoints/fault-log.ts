// Reports the faults of one endpoint: one log line when a fault begins and one when it ends, and its problem for operators.
import type { AppError } from '../../../infra/base/runtime/errors.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import { getRepeatedWarnings } from '../../../infra/base/runtime/repeated-warnings.ts'
import { explainAddress } from './explain-address.ts'
import type { NodeHealth } from './node-health.ts'
import type { NodeMetrics } from './node-metrics.ts'

export type FaultLogOptions = {
  name: string
  logger: Logger
  metrics: NodeMetrics
  health: NodeHealth
}

export type FaultLog = {
  /** `isUsable` stays true during a short fault. */
  begin(error: AppError, isUsable: boolean): void
  end(): void
}

export const createFaultLog = (options: FaultLogOptions): FaultLog => {
  const { name, logger, metrics, health } = options
  const warnings = getRepeatedWarnings(logger)
  let fault: { code: string; named: boolean } | null = null

  const setHealthy = () => {
    metrics.endpointHealthy.set({ endpoint: name }, 1)
    health.report(name, { problem: null, isUsable: true })
  }
  setHealthy()
  return {
    begin: (error, isUsable) => {
      metrics.endpointHealthy.set({ endpoint: name }, 0)
      const { code, message } = error
      const wrong = explainAddress(error)
      const problem = wrong ? `${wrong.what}; ${wrong.remedy}` : `${message} (${code})`
      health.report(name, { problem, isUsable })
      const reason = wrong ? { reason: wrong.what, remedy: wrong.remedy } : { reason: message }
      // An endpoint of another chain is a configuration error: a retry does not help.
      const named = warnings[code === 'CHAIN_MISMATCH' ? 'error' : 'warn']({
        key: `${name} ${code}`,
        fields: { endpoint: name, fault: code, ...reason },
        message: 'endpoint failed',
      })
      fault = { code, named: named || (fault?.code === code && fault.named) }
    },
    end: () => {
      if (fault === null) return
      setHealthy()
      if (fault.named) logger.info({ endpoint: name, fault: fault.code }, 'endpoint recovered')
      fault = null
    },
  }
}
