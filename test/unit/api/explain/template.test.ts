// Templates of explanations: sentences with parts, and the details of members.
import { expect, it } from 'vitest'
import type { ExplainContext } from '../../../../api/explain/explainer.ts'
import {
  address,
  coins,
  count,
  each,
  either,
  inside,
  integer,
  name,
  optional,
  sentence,
} from '../../../../api/explain/template.ts'

const AT: ExplainContext = {
  findUnit: () => undefined,
  changes: null,
  changesReason: null,
  explainNested: () => ({ title: '', summary: '', details: [], type: '' }),
}

it('a sentence has the text of each part, unchanged', () => {
  const template = sentence`Pays ${coins('amount')} to ${name('label')}.`
  const amount = [{ denom: 'uatom', amount: '5' }]
  expect(template({ amount, label: 'a\\n' }, AT)).toBe('Pays 5 uatom to “a\\n”.')
})

it('a sentence without one of its parts is undefined', () => {
  const template = sentence`The code ${integer('id')} of ${count('items', 'item')}`
  expect(template({ id: 7, items: [1, 2] }, AT)).toBe('The code 7 of 2 items')
  expect(template({ id: -1, items: [1] }, AT)).toBeUndefined()
  expect(template({ id: 7, items: [] }, AT)).toBeUndefined()
  expect(template(null, AT)).toBeUndefined()
})

it('an optional clause is empty without its part, and another text can replace a part', () => {
  const clause = optional` from ${integer('id')}`
  expect([clause({ id: '7' }, AT), clause({}, AT)]).toEqual([' from 7', ''])
  const contract = either(name('label'), 'a contract')
  expect([contract({ label: 'x' }, AT), contract({}, AT)]).toEqual(['“x”', 'a contract'])
})

it('details and parts read nested objects and the items of lists', () => {
  expect(inside('plan', integer('height'))({ plan: { height: '9' } }, AT)).toBe('9')
  const message = { inputs: [{ address: 'a' }, null, { address: 'b' }] }
  expect(each('inputs', address('From', 'address'))(message, AT)).toEqual([
    { label: 'From', value: { kind: 'address', text: 'a' } },
    { label: 'From', value: { kind: 'address', text: 'b' } },
  ])
})
