// The rule of AtomOne before version 4: a vote has only the stake of its voter. Its x/gov has a package of its own.
// Source: atomone-hub/atomone, x/gov/keeper/tally.go of versions 1 to 3.
import { QueryParamsRequest } from 'cosmjs-types/cosmos/gov/v1/query'
import { isKnown, known } from '../chain/answer.ts'
import { askModule } from '../chain/query.ts'
import type { RuleModule } from './applied-rule.ts'

const paramsMethod = {
  path: '/atomone.gov.v1.Query/Params',
  request: QueryParamsRequest,
  response: { decode: (bytes: Uint8Array) => bytes },
}

export const noInheritance: RuleModule = {
  name: 'no_inheritance',
  find: async (node, height) => {
    const answer = await askModule(node, paramsMethod, { height })
    if (!isKnown(answer) || answer.value === undefined) return answer
    return known({ name: 'no_inheritance' })
  },
}
