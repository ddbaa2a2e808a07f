// The rule of AtomOne before version 4: a vote has only the stake of its voter. Its x/gov has a package of its own.
// Source: atomone-hub/atomone, x/gov/keeper/tally.go of versions 1 to 3.
import { QueryParamsRequest } from 'cosmjs-types/cosmos/gov/v1/query'
import { isKnown, known, withoutFailure } from '../chain/answer.ts'
import { ask, isUnknownMethod } from '../chain/query.ts'
import type { RuleModule } from './applied-rule.ts'

const paramsMethod = {
  path: '/atomone.gov.v1.Query/Params',
  request: QueryParamsRequest,
  response: { decode: (bytes: Uint8Array) => bytes },
}

export const noInheritance: RuleModule = {
  name: 'no_inheritance',
  find: async (node, height) => {
    const answer = await ask(node, paramsMethod, { height })
    if (isUnknownMethod(answer)) return known(undefined)
    return isKnown(answer) ? known({ name: 'no_inheritance' }) : withoutFailure(answer)
  },
}
