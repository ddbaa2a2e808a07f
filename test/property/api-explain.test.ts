// Property tests of explanations for any message and state: none throws, and each matches its schema.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { createMessageExplainer } from '../../api/explain/explain.ts'
import { TEMPLATES } from '../../api/explain/messages.ts'
import { Explanation } from '../../api/schemas/explanation.ts'
import { hostileText } from '../support/api/hostile-texts.ts'

const TYPES = [
  ...TEMPLATES.keys(),
  '/cosmos.gov.v1.MsgExecLegacyContent',
  '/cosmos.params.v1beta1.ParameterChangeProposal',
  '/cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal',
  '/cosmwasm.wasm.v1.InstantiateContract2Proposal',
  '/cosmos.gov.v1.MsgUpdateParams',
  '/a.b.v1.MsgUpdateParams',
  '/x.y.v1.MsgOther',
  '',
]

const RECORDED: readonly { rest: { '@type': string } }[] = JSON.parse(
  readFileSync(new URL('../fixtures/rest-messages.json', import.meta.url), 'utf8'),
)
/** Members that no recorded message has, but an explainer reads. */
const MORE = ['changes', 'subspace', 'binaries', 'sha256', 'size', 'reason', '@unknownFields']

const namesIn = (value: unknown): string[] =>
  Object.entries(value instanceof Object ? value : {}).flatMap(([name, inner]) => [
    name,
    ...namesIn(inner),
  ])

/** The names in recorded messages of the type, or in all of them. */
const membersOf = (type: string): string[] => {
  const own = RECORDED.map(({ rest }) => rest).filter((rest) => rest['@type'] === type)
  return [...new Set([...MORE, ...namesIn(own.length > 0 ? own : RECORDED)])]
}

const WORDS = ['uatom', 'cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu', '7', 'atom', '']
const leaf = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 2, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 80n }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('0.334000000000000000', '172800s', '1e5', '-1') },
  { weight: 1, arbitrary: fc.constantFrom('9'.repeat(2_000), 'https://a.example/x', '{"a":1}') },
  { weight: 1, arbitrary: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()) },
  { weight: 1, arbitrary: hostileText() },
  { weight: 1, arbitrary: fc.constantFrom(null, true, 0, -1, 1.5, 2 ** 60) },
)
const coin = fc.record({ denom: fc.constantFrom('uatom', 'uother'), amount: leaf })

/** JSON with the given members, at any depth and of any type. */
const createJsonArbitrary = (members: readonly string[]) =>
  fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
    object: fc.dictionary(
      fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...members) },
        fc.constantFrom('__proto__', '@type', 'x'),
      ),
      tie('value'),
      { maxKeys: 8 },
    ),
    value: fc.oneof(
      { maxDepth: 5 },
      { weight: 5, arbitrary: leaf },
      { weight: 2, arbitrary: coin },
      { weight: 3, arbitrary: tie('object') },
      { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom(...TYPES), tie('object'))
          .map(([type, fields]) => ({ ...fields, '@type': type })),
      },
      { weight: 1, arbitrary: fc.jsonValue() },
    ),
  }))

const change = fc.record({
  message: fc.constantFrom(0, 1),
  path: fc.oneof(fc.constantFrom('quorum', 'block.max_bytes', 'gov/key'), hostileText()),
  from: fc.oneof(leaf, fc.jsonValue()),
  to: fc.oneof(leaf, fc.jsonValue()),
})

const rest = fc.record({
  changes: fc.option(fc.array(change, { maxLength: 5 })),
  changesReason: fc.option(hostileText()),
  displayUnit: fc.constantFrom(undefined, { name: 'OTHER', denom: 'uother', decimals: 6 }),
})

const schema = Compile(Explanation)

const checkAll = (
  messages: readonly unknown[],
  given: typeof rest extends fc.Arbitrary<infer R> ? R : never,
) => {
  const explanations = messages.map(createMessageExplainer(given))
  expect(explanations.map(({ message }) => message)).toEqual([...messages.keys()])
  for (const explanation of explanations) {
    expect([...schema.Errors(explanation)]).toEqual([])
    expect(explanation.title).not.toBe('')
    expect(explanation.summary).not.toBe('')
    for (const { value } of explanation.details) {
      if (value.kind === 'link') expect(new URL(value.text).protocol).toBe('https:')
    }
  }
}

describe('an explanation', () => {
  it.each(TYPES)('of any "%s" message does not throw and matches its schema', (type) => {
    fc.assert(
      fc.property(createJsonArbitrary(membersOf(type)).object, rest, (members, given) =>
        checkAll([{ ...members, '@type': type }], given),
      ),
      { numRuns: 40 },
    )
  })

  it('of any value does not throw and matches its schema', () => {
    const fields = createJsonArbitrary(membersOf('')).object
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.jsonValue(), fields), { maxLength: 3 }), rest, checkAll),
      { numRuns: 500 },
    )
  })
})
