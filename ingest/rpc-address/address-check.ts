// Says at the start what answers at an address that is not the RPC of a node, instead of the code of a failed call.
import type { Logger } from '../../infra/runtime/logger.ts'
import { handledLater } from '../../infra/runtime/promises.ts'
import { endpointNames } from '../comet/endpoint-names.ts'
import type { NodeHealth } from '../comet/node-health.ts'
import { identifyAddress } from './identify-address.ts'

export type AddressCheck = {
  /** Reports to the given health, with the explanation of an address as its problem. */
  health: NodeHealth
  /** The chain is known: later faults are no wrong addresses. */
  end(): void
}

export type AddressCheckOptions = {
  urls: readonly string[]
  health: NodeHealth
  logger: Logger
  signal: AbortSignal
}

type State = Parameters<NodeHealth['report']>[1]

const join = (problem: string, explanation: string | undefined): string =>
  explanation === undefined ? problem : `${problem}. ${explanation}`

export const createAddressCheck = (options: AddressCheckOptions): AddressCheck => {
  const { urls, health, logger, signal } = options
  const urlOf = new Map(endpointNames(urls).map((name, at) => [name, urls[at]!]))
  const states = new Map<string, State>()
  const checked = new Set<string>()
  const explained = new Map<string, string>()
  let isOver = false

  const pass = (name: string, { problem, isUsable }: State) =>
    health.report(name, {
      problem: problem === null ? null : join(problem, explained.get(name)),
      isUsable,
    })
  const explain = async (name: string, url: string): Promise<void> => {
    const wrong = await identifyAddress(url, { signal })
    const state = states.get(name)
    if (!wrong || wrong.mayPass || isOver || !state || state.problem === null) return
    explained.set(name, `${wrong.what}; ${wrong.remedy}`)
    logger.warn({ endpoint: name, reason: wrong.what, remedy: wrong.remedy }, 'not an RPC endpoint')
    pass(name, state)
  }
  return {
    health: {
      ...health,
      report: (name, state) => {
        states.set(name, state)
        pass(name, state)
        const url = urlOf.get(name)
        if (isOver || state.problem === null || url === undefined || checked.has(name)) return
        checked.add(name)
        // It rejects only when aborted.
        void handledLater(explain(name, url))
      },
    },
    end: () => {
      isOver = true
      explained.clear()
    },
  }
}
