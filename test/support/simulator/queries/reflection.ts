// What the node of a simulated chain reports of its messages: the vote message of x/gov among others.
import { ListImplementationsResponse } from 'cosmjs-types/cosmos/base/reflection/v1beta1/reflection'
import { FileDescriptorsResponse } from 'cosmjs-types/cosmos/reflection/v1/reflection'
import type { Query } from '../../../../infra/app/chain/query.ts'
import { refusePlainly } from '../../../../infra/app/chain/query.ts'
import type { ChainState } from '../state/chain-state.ts'
import type { SimulatedView } from '../state/simulated-view.ts'

export const UPSTREAM_GOV = 'cosmos.gov'

const listVoteTypes = ({ govPackage = UPSTREAM_GOV, unusedTypes = [] }: ChainState): string[] => {
  const packages = [...(govPackage ? [govPackage] : []), ...unusedTypes]
  return ['cosmos.group.v1.MsgVote', ...packages.map((name) => `${name}.v1.MsgVote`)]
}

const reported =
  (form: ChainState['reflection'], write: (types: string[]) => Uint8Array): Query<SimulatedView> =>
  (_data, { state }) =>
    state.reflection === form
      ? write(listVoteTypes(state))
      : refusePlainly('unknown', 'unknown query path')

export const REFLECTION_QUERIES = {
  '/cosmos.base.reflection.v1beta1.ReflectionService/ListImplementations': reported(
    'types',
    (types) => {
      const implementationMessageNames = types.map((type) => `/${type}`)
      return ListImplementationsResponse.encode({ implementationMessageNames }).finish()
    },
  ),
  '/cosmos.reflection.v1.ReflectionService/FileDescriptors': reported('files', (types) => {
    const method = types.map((type) => ({ inputType: `.${type}` }))
    const files = [{ service: [{ name: 'Msg', method }] }]
    return FileDescriptorsResponse.encode(FileDescriptorsResponse.fromPartial({ files })).finish()
  }),
}
