// Who is to lead among the members of a group.
import { expect, it } from 'vitest'
import { chooseOwner } from '../../../../infra/log/kafka-group.ts'

const member = (memberId: string, leads = false) => ({ memberId, leads })

it('is whoever leads already, wherever it stands among the others', () => {
  expect(chooseOwner([member('b'), member('c', true), member('a')])).toBe('c')
  expect(chooseOwner([member('a'), member('b', true)])).toBe('b')
})

it('is the same one for everybody who looks, where nobody leads', () => {
  expect(chooseOwner([member('b'), member('a'), member('c')])).toBe('a')
  expect(chooseOwner([member('c'), member('b'), member('a')])).toBe('a')
})
