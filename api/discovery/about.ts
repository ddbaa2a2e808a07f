// What every document of this folder is made from, and what a document is. Pure.
import type { ServiceDescription } from '../../auth/contract/service.ts'

export type About = {
  service: ServiceDescription
  /** Of the product. */
  version: string
  /** False where no agent can register here: reading needs no token anyway. */
  issuesTokens: boolean
}

export type Document = {
  path: string
  /** Of the `Content-Type` field, parameters included. */
  type: string
  /** Another name of the same bytes, for those who ask for it. */
  alternateType?: string
  maxAgeSeconds: number
  headers?: (about: About) => Readonly<Record<string, string>>
  write: (about: About) => string
}

export const JSON_TYPE = 'application/json; charset=utf-8'
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'
export const TEXT_TYPE = 'text/plain; charset=utf-8'

export const asJson = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
