// The addresses in the examples of documents have the prefixes of the served chain.
import { toBech32 } from '@cosmjs/encoding'
import { expect, it } from 'vitest'
import { respellExamples } from '../../../../api/discovery/documents.ts'
import { openApi } from '../../../../api/discovery/openapi/document.ts'
import { aboutService } from '../../../support/api/discovery.ts'

const BYTES = new Uint8Array(20).fill(7)
const COSMOS = { account: 'cosmos', operator: 'cosmosvaloper' }

it('the OpenAPI document has no address of the demo chain on another chain', () => {
  const text = openApi.write(aboutService())
  expect(text).toMatch(/wasm(?:valoper)?1[a-z0-9]{38}/)
  const formed = respellExamples(text, COSMOS)
  expect(formed).not.toMatch(/wasm(?:valoper)?1[a-z0-9]/)
  expect(formed).toMatch(/cosmosvaloper1[a-z0-9]{38}/)
  expect(respellExamples(text, { account: 'wasm', operator: 'wasmvaloper' })).toBe(text)
})

it('an address keeps its bytes, and stays as it is while the prefixes are not known', () => {
  const text = `${toBech32('wasm', BYTES)} ${toBech32('wasmvaloper', BYTES)}`
  const formed = `${toBech32('cosmos', BYTES)} ${toBech32('cosmosvaloper', BYTES)}`
  expect(respellExamples(text, COSMOS)).toBe(formed)
  expect(respellExamples(text, null)).toBe(text)
})
