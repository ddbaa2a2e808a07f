// Reports the faults of one endpoint: one log line when a fault begins and one when it ends, and its problem for operators.
import type { AppError } from '../../../infra/base/runtime/errors.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import { getRepeatedWarnings } from '../../../infra/base/runtime/repeated-warnings.ts'
import type { NodeHealth } from './node-health.ts'
import type { NodeMetrics } from './node-metrics.ts'

/** Two clauses: what answers at the address, and what to do. */
export type AddressExplanation = { what: string; remedy: string }

export type FaultLogOptions = {
  name: string
  /** Undefined if the address may be right. Rejects only when aborted. */
  explain?: (() => Promise<AddressExplanation | undefined>) | undefined
  logger: Logger
  metrics: NodeMetrics
  health: NodeHealth
}

export type FaultLog = {
  /** `isUsable` stays true during a short fault. */
  begin(error: AppError, isUsable: boolean): void
  end(): void
}

type Fault = { error: AppError; isUsable: boolean }

/** Explains the error of an address that never answered like a node, once for each message. */
const createExplainer = (explain: FaultLogOptions['explain']) => {
  let explained: { message: string; explanation: AddressExplanation | undefined } | undefined
  let isRunning = false
  let isRight = explain === undefined
  return {
    /** From now on, a fault is no wrong address. */
    settle: () => {
      isRight = true
    },
    isRunning: () => isRunning,
    find: ({ message }: AppError): { explanation: AddressExplanation | undefined } | undefined => {
      if (isRight) return { explanation: undefined }
      return explained?.message === message ? explained : undefined
    },
    run: async ({ message }: AppError): Promise<void> => {
      isRunning = true
      try {
        explained = { message, explanation: await explain?.() }
      } finally {
        isRunning = false
      }
    },
  }
}

export const createFaultLog = (options: FaultLogOptions): FaultLog => {
  const { name, logger, metrics, health } = options
  const warnings = getRepeatedWarnings(logger)
  const explainer = createExplainer(options.explain)
  let fault: { code: string; named: boolean } | null = null
  /** Waits for its explanation. */
  let unexplained: Fault | undefined

  const setHealthy = () => {
    metrics.endpointHealthy.set({ endpoint: name }, 1)
    health.report(name, { problem: null, isUsable: true })
  }
  const report = ({ error, isUsable }: Fault, explanation: AddressExplanation | undefined) => {
    const { code, message } = error
    const problem = explanation
      ? `${explanation.what}; ${explanation.remedy}`
      : `${message} (${code})`
    health.report(name, { problem, isUsable })
    const reason = explanation
      ? { reason: explanation.what, remedy: explanation.remedy }
      : { reason: message }
    // An endpoint of another chain is a configuration error: a retry does not help.
    const named = warnings[code === 'CHAIN_MISMATCH' ? 'error' : 'warn']({
      key: `${name} ${code}`,
      fields: { endpoint: name, fault: code, ...reason },
      message: 'endpoint failed',
    })
    fault = { code, named: named || (fault?.code === code && fault.named) }
  }
  const explainLater = async (error: AppError): Promise<void> => {
    await explainer.run(error)
    const waiting = unexplained
    unexplained = undefined
    if (waiting) report(waiting, explainer.find(waiting.error)?.explanation)
  }
  setHealthy()
  return {
    begin: (error, isUsable) => {
      metrics.endpointHealthy.set({ endpoint: name }, 0)
      if (error.code === 'CHAIN_MISMATCH') explainer.settle()
      const found = explainer.find(error)
      if (found) return report({ error, isUsable }, found.explanation)
      health.report(name, { problem: 'it does not answer like a node', isUsable })
      unexplained = { error, isUsable }
      fault ??= { code: error.code, named: false }
      // It rejects only when aborted.
      if (!explainer.isRunning()) void explainLater(error).catch(() => {})
    },
    end: () => {
      explainer.settle()
      unexplained = undefined
      if (fault === null) return
      setHealthy()
      if (fault.named) logger.info({ endpoint: name, fault: fault.code }, 'endpoint recovered')
      fault = null
    },
  }
}
