// Tests that the node of the tests keeps the contract of a node, in the form of each version of CometBFT.
import { describeNode } from '../../../contracts/node.ts'
import { answerStateQuery, toShownChain } from '../../../support/chain/fake-gov-chain.ts'
import { startFakeNode } from '../../../support/chain/fake-node.ts'
import { ERAS } from '../../../support/chain/fake-wire.ts'
import { createGovChain } from '../../../support/chain/gov-chain.ts'

for (const era of ERAS) {
  describeNode(`the node of the tests as CometBFT ${era}`, async () => {
    const chain = createGovChain({ proves: true })
    for (let height = 0; height < 12; height++) chain.add()
    const shown = toShownChain(chain, chain.tip - 4)
    const node = await startFakeNode({
      chain: shown.chain,
      era,
      abci: (request) => answerStateQuery(chain, request),
    })
    const { url } = node
    const addBlock = () => {
      if (shown.grow()) node.announce()
    }
    const [first] = chain.blocks()
    return {
      url,
      chainId: chain.chainId,
      first: first?.height ?? 0,
      isSigned: true,
      isLive: true,
      addBlock,
      close: node.close,
    }
  })
}
