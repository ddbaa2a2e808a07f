// `npm run record:proofs`: writes the proofs of closed proposals and light blocks around a change of the validators' power, for
// tests without a chain.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { MsgDelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { decodeProposal } from '../../infra/base/proof/proposal.ts'
import type { Account } from './accounts.ts'
import { buildNode } from './build-node.ts'
import { type Devnet, startDevnet } from './chain.ts'
import { operatorAddress } from './genesis.ts'
import { coin, NO, submit, vote, YES } from './messages.ts'
import { createNodeSource } from './proposal-at-node.ts'
import { connectChain, eventValue } from './transactions.ts'

const target = fileURLToPath(new URL('../fixtures/proposal-proofs.json', import.meta.url))
const progress = (line: string) => console.log(`${new Date().toISOString()} ${line}`)
const PERIODS = { votingSeconds: 8, expeditedSeconds: 5, depositSeconds: 6 }
const DEPOSIT = 1_000_000_000n
const POLL_MS = 500
const OPEN = ['unspecified', 'deposit_period', 'voting_period']

const delegate = (from: Account, to: Account, amount: bigint) => ({
  typeUrl: '/cosmos.staking.v1beta1.MsgDelegate',
  value: MsgDelegate.fromPartial({
    delegatorAddress: from.address,
    validatorAddress: operatorAddress(to.address),
    amount: coin(amount),
  }),
})

const play = async (devnet: Devnet) => {
  const chain = await connectChain(devnet.rpcUrl, devnet.spec.chainId)
  const source = createNodeSource(devnet.rpcUrl, new AbortController().signal)
  const { operators, people } = devnet.accounts
  const [, second] = operators
  const [proposer] = people
  if (!second || !proposer) throw new Error('the devnet has too few accounts')
  const propose = async (title: string): Promise<bigint> => {
    const text = { title, summary: `${title}.`, metadata: 'a text', messages: [] }
    const sent = await chain.send(proposer, [submit(proposer.address, text, DEPOSIT)])
    return BigInt(eventValue(sent, 'submit_proposal', 'proposal_id'))
  }
  const passing = await propose('Passes')
  const failing = await propose('Is rejected')
  await Promise.all(
    operators
      .slice(0, 12)
      .map((operator) =>
        chain.send(operator, [
          vote(passing, operator.address, YES),
          vote(failing, operator.address, NO),
        ]),
      ),
  )
  await chain.send(proposer, [delegate(proposer, second, 5_000_000_000_000n)])
  const changed = chain.tip().height
  const isClosed = async (id: bigint): Promise<boolean> => {
    const { value } = await source.proof(id, chain.tip().height - 2)
    return !OPEN.includes(decodeProposal(Buffer.from(value, 'base64')).status)
  }
  for (const id of [passing, failing]) while (!(await isClosed(id))) await sleep(POLL_MS)
  const closed = chain.tip().height
  await chain.untilHeight(closed + 2)
  const heights = [1, 2, Math.floor(changed / 2), changed + 3, closed - 1]
  const result = {
    chainId: devnet.spec.chainId,
    proposals: await Promise.all(
      [passing, failing].map(async (id) => ({
        id: `${id}`,
        proof: await source.proof(id, closed),
      })),
    ),
    lightBlocks: await Promise.all(heights.map(source.lightBlock)),
  }
  source.close()
  await chain.close()
  return result
}

const binary = await buildNode(progress)
const dir = await mkdtemp(`${tmpdir()}/rollcall-proofs-`)
const devnet = await startDevnet({ dir, binary, periods: PERIODS })
try {
  const recorded = await play(devnet)
  await writeFile(target, `${JSON.stringify(recorded)}\n`)
  progress(`${recorded.proposals.length} proofs in ${target}`)
} finally {
  await devnet.stop()
  await rm(dir, { recursive: true, force: true })
}
