// Tests the estimate of tokens with the encodings of two models, on answers of the demo chain.
import { readFileSync } from 'node:fs'
import { encode as encodeOlder } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { estimateTokens } from '../../../api/size.ts'

const EXAMPLES = new URL('../../../api/discovery/assets/examples.json', import.meta.url)
const examples: Record<string, unknown> = JSON.parse(readFileSync(EXAMPLES, 'utf8'))

const countTokens = (text: string): number =>
  Math.max(encode(text).length, encodeOlder(text).length)

test('The estimate of an answer differs from the tokens by less than a fifth, and is rarely below.', () => {
  const answers = Object.values(examples).map((answer) => JSON.stringify(answer))
  const ratios = answers.map((json) => estimateTokens(json) / countTokens(json))
  expect(ratios.length).toBeGreaterThan(10)
  expect(Math.min(...ratios)).toBeGreaterThan(0.9)
  expect(Math.max(...ratios)).toBeLessThan(1.2)
})

test.each([
  ['Chinese', '提高验证者数量上限的提案'.repeat(50)],
  ['Cyrillic', 'Предложение увеличить число валидаторов. '.repeat(50)],
  ['emoji', '🦉🌍🚀'.repeat(50)],
  ['base64', Buffer.from('a proof of a proposal'.repeat(50)).toString('base64')],
])('The estimate of %s is not below the tokens by more than a tenth.', (_what, text) => {
  expect(estimateTokens(text)).toBeGreaterThan(0.9 * countTokens(text))
})
