// What a search text means: numbers of proposals, words and phrases.
import { expect, it } from 'vitest'
import { parseProposalNumber, splitWords } from '../../../../api/read/text-search.ts'

it.each([
  ['#20', '20'],
  ['prop #0020', '20'],
  ['18446744073709551615', '18446744073709551615'],
  ['18446744073709551616', undefined],
  ['20 %', undefined],
  ['2.0', undefined],
  ['', undefined],
])('the number in %j is %j', (text, number) => {
  expect(parseProposalNumber(text)).toBe(number)
})

it.each([
  ['  raise\tquorum ', ['raise', 'quorum']],
  ['"raise quorum" 35 %', ['raise quorum', '35', '%']],
  ['“raise quorum”', ['raise quorum']],
  ['say "hello', ['say', '"hello']],
  ['" "', []],
])('the words of %j are %j', (text, words) => {
  expect(splitWords(text)).toEqual(words)
})
