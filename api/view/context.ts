// What all documents of one request share: links, the unit of amounts, and what is unusual about the data.
import type { DisplayUnit } from '../display-unit.ts'
import type { Health } from '../schemas/health.ts'

export type PageContext = {
  /** The prefix of links; empty if no public URL is configured. */
  baseUrl: string
  /** The URL of the service, for commands; the listening address if no public URL is configured. */
  serviceUrl?: string
  /** The parameters of the path. */
  params: Readonly<Record<string, string>>
  /** The unit of displayed amounts. Without it, amounts are in the chain's base unit. */
  unit?: DisplayUnit | undefined
  /** The URL of a transaction in an explorer, with `{txHash}`, and perhaps `{height}`. */
  explorerTxUrl?: string | undefined
  /** True if the data is that of the demo chain. */
  isDemo?: boolean
  /** What is still to come of the past. */
  catchUp?: Health['catchUp']
  /** Time of the last block, if no new one comes. */
  noBlockSince?: string | undefined
  /** True if the chain has no x/gov. */
  lacksGov?: boolean
}
