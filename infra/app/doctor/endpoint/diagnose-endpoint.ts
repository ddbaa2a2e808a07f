// `rollcall doctor --endpoint`: what one address is, and what Rollcall can serve from it.
import { explainAddress } from '../../../../ingest/comet/endpoints/explain-address.ts'
import type { Headers } from '../../../../ingest/comet/transport/http-post.ts'
import { type Clock, systemClock } from '../../../base/runtime/clock.ts'
import { isHttpUrl } from '../../../base/runtime/config.ts'
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

type Read = { facts: EndpointFacts } | { wrong: Finding }

const read = async (
  url: URL,
  { headers, signal, clock = systemClock }: DiagnoseOptions,
): Promise<Read> => {
  try {
    return { facts: await readFacts({ url, headers, clock, signal }) }
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error
    const { what, remedy } = explainAddress(error) ?? {
      what: `it does not respond like a node: ${error.message}`,
      remedy: 'check the address, its key in CHAIN_RPC_HEADERS, and the node',
    }
    return { wrong: problem(`${url.host}: ${what}`, remedy) }
  }
}

/** Names only the host: the path of the URL may be secret. */
export const diagnoseEndpoint = async (options: DiagnoseOptions): Promise<Finding[]> => {
  if (!isHttpUrl(options.address)) {
    return [
      problem('this is not an http or https URL', 'use that of the RPC, usually http://…:26657'),
    ]
  }
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
