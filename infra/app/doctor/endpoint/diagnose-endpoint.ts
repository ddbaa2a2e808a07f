// `rollcall doctor --endpoint`: what one address is, and what Rollcall can serve from it.
import type { Headers } from '../../../../ingest/comet/transport/http-post.ts'
import { explainText, type WrongAddress } from '../../../../ingest/rpc-address/explain-address.ts'
import { identifyAddress } from '../../../../ingest/rpc-address/identify-address.ts'
import { type Clock, systemClock } from '../../../base/runtime/clock.ts'
import { AppError } from '../../../base/runtime/errors.ts'
import { createAreaFindings, type Finding } from '../finding.ts'
import { factFindings } from './fact-findings.ts'
import type { EndpointFacts } from './facts.ts'
import { readFacts } from './read-facts.ts'
import { serviceFindings } from './service-findings.ts'

const { ok, problem } = createAreaFindings('address')

export type DiagnoseOptions = {
  address: string
  /** Of the settings, such as a key. */
  headers?: Headers | undefined
  signal: AbortSignal
  clock?: Clock
}

const toProblem = ({ what, remedy }: WrongAddress, host?: string): Finding =>
  problem(host === undefined ? what : `${host}: ${what}`, remedy)

type Read = { facts: EndpointFacts } | { wrong: Finding }

const read = async (
  url: URL,
  { headers, signal, clock = systemClock }: DiagnoseOptions,
): Promise<Read> => {
  try {
    return { facts: await readFacts({ url, headers, clock, signal }) }
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error
    const wrong = await identifyAddress(url.href, { headers, signal })
    const other = {
      what: `it does not respond like a node: ${error.message}`,
      remedy: 'check the node',
    }
    return { wrong: toProblem(wrong ?? other, url.host) }
  }
}

/** Names only the host: the path of the URL may be secret. */
export const diagnoseEndpoint = async (options: DiagnoseOptions): Promise<Finding[]> => {
  const wrong = explainText(options.address)
  if (wrong) return [toProblem(wrong)]
  const url = new URL(options.address)
  const found = await read(url, options)
  if ('wrong' in found) return [found.wrong]
  const { facts } = found
  return [
    ok(`${url.host} is the RPC of a CometBFT node`),
    ...factFindings(facts),
    ...serviceFindings(facts),
  ]
}
