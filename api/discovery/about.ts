// Types of the documents in this folder and of the facts that they are built from. Pure.
import type { ServiceDescription } from '../../auth/contract/service.ts'

export type About = {
  service: ServiceDescription
  /** The version of the product. */
  version: string
  /** False in a deployment that registers no agents. */
  issuesTokens: boolean
  /** True if the data is that of the demo chain. */
  isDemo: boolean
}

export type Document = {
  path: string
  /** The value of `Content-Type`, with its parameters. */
  type: string
  /** A second media type for the same bytes, chosen by `Accept`. */
  alternateType?: string
  maxAgeSeconds: number
  /** True if it has addresses in examples. */
  hasAddresses?: boolean
  headers?: (about: About) => Readonly<Record<string, string>>
  write: (about: About) => string
}

export const JSON_TYPE = 'application/json; charset=utf-8'
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'
export const TEXT_TYPE = 'text/plain; charset=utf-8'

export const asJson = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
