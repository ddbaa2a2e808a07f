// The documents of one service as they are served, and a third-party check of JSON by JSON Schema.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { About } from '../../../api/discovery/about.ts'
import { describeService } from '../../../auth/contract/service.ts'

export const PUBLIC_URL = 'https://gov.example.org'

export const aboutService = (changes: Partial<About> & { baseUrl?: string } = {}): About => {
  const { baseUrl = PUBLIC_URL, ...rest } = changes
  return {
    service: describeService(baseUrl),
    version: '1.0.0',
    issuesTokens: true,
    isDemo: false,
    ...rest,
  }
}

/** `prefixed` has its members under names that schemas of OpenAPI refer to. */
export const createChecker = (prefixed: Readonly<Record<string, object>> = {}) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const root = { $id: 'root', components: { schemas: prefixed } }
  ajv.addSchema(root)
  return {
    /** Empty if the value matches the schema. */
    mistakes: (schema: object, value: unknown): string[] => {
      const check = ajv.compile(schema)
      if (check(value)) return []
      return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
    },
    /** The same check by the name of a component. */
    mistakesAgainst: (name: string, value: unknown): string[] => {
      const check = ajv.compile({ $ref: `root#/components/schemas/${name}` })
      if (check(value)) return []
      return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
    },
  }
}
