// Tests that a simulated node keeps the contract of a node, in the form of each version of CometBFT.
import { startNode } from '../../../../../../infra/app/chain/nodes/node.ts'
import { RPC_FORMS } from '../../../../../../infra/app/chain/rpc/forms.ts'
import { describeNode } from '../../../../../contracts/node.ts'
import { createMemoryChain } from '../../../../../support/chain/memory-chain.ts'
import { showChain } from '../../../../../support/chain/shown-chain.ts'

for (const form of RPC_FORMS) {
  describeNode(`a simulated node as CometBFT ${form}`, async () => {
    const whole = createMemoryChain({ proves: true })
    for (let height = 0; height < 12; height++) whole.add()
    const chain = showChain(whole, whole.tip - 4)
    const node = await startNode({ chain, form })
    const addBlock = () => {
      if (chain.grow()) node.announce()
    }
    return {
      url: node.url,
      chainId: chain.chainId,
      first: chain.firstHeight,
      isSigned: true,
      isLive: true,
      addBlock,
      close: node.close,
    }
  })
}
