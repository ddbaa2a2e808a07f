// What all documents of one request share: links, the unit of amounts, and what is unusual about the data.
import type { DisplayUnit } from '../words/display-unit.ts'
import type { Unusual } from '../words/notice.ts'

export type PageContext = Unusual & {
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
}
