// Prepares the scenario: funds hundreds of voters, delegates, grants and deploys the contract.
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { EncodeObject } from '@cosmjs/proto-signing'
import { MsgFundCommunityPool } from 'cosmjs-types/cosmos/protocolpool/v1/tx'
import { MsgInstantiateContract, MsgStoreCode } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { type Account, toPoolAddress } from '../accounts.ts'
import { CONTRACT_PATH } from '../build-node.ts'
import { ROLL } from '../genesis.ts'
import { coin, createMessage, delegate, executeContract, grant, sendToAll } from '../messages.ts'
import { chance, type Scene } from '../scene.ts'
import { eventValue } from '../transactions.ts'

const ALLOWANCE = 40_000n * ROLL
const VOTERS_PER_TX = 340

/** One to three pools each, in amounts with odd base units. */
function createDelegations(scene: Scene, voter: Account): EncodeObject[] {
  const count = 1 + Math.floor(chance(voter.name, 'pools') ** 2 * 3)
  const pools = [...scene.operators]
    .sort((a, b) => chance(voter.name, a.name) - chance(voter.name, b.name))
    .slice(0, count)
  return pools.map((pool, index) => {
    const share = chance(voter.name, pool.name, 'amount', index) ** 3
    return delegate(voter, pool, 25n * ROLL + BigInt(Math.floor(share * 11_000_000_000)))
  })
}

async function fundVoters(scene: Scene): Promise<void> {
  const faucet = scene.person('faucet')
  for (let from = 0; from < scene.voters.length; from += VOTERS_PER_TX) {
    const voters = scene.voters.slice(from, from + VOTERS_PER_TX)
    await scene.send(faucet, [sendToAll(faucet, voters, ALLOWANCE)], { gas: 60_000_000 })
  }
  // Every twelfth voter holds nothing: a ballot without weight is a ballot too.
  const delegators = scene.voters.filter((_, index) => index % 12 !== 5)
  await Promise.all(delegators.map((voter) => scene.send(voter, createDelegations(scene, voter))))
}

async function grantVotes({ send, person, voters }: Scene): Promise<void> {
  const [delegated, sub] = [person('delegate'), person('sub-delegate')]
  await Promise.all([
    ...voters
      .slice(0, 6)
      .map((voter) =>
        send(voter, [
          grant(voter.address, delegated.address, '/cosmos.gov.v1.MsgVote'),
          grant(voter.address, delegated.address, '/cosmos.gov.v1.MsgVoteWeighted'),
        ]),
      ),
    send(delegated, [grant(delegated.address, sub.address, '/cosmos.authz.v1beta1.MsgExec')]),
  ])
}

/** Stakes with two pools. */
async function deployContract({ send, person, operator }: Scene): Promise<string> {
  const owner = person('core-team')
  const sender = owner.address
  const wasmByteCode = gzipSync(await readFile(CONTRACT_PATH), { level: 9 })
  const code = createMessage(MsgStoreCode, { sender, wasmByteCode })
  const stored = await send(owner, [code], { gas: 30_000_000 })
  const made = await send(owner, [
    createMessage(MsgInstantiateContract, {
      sender,
      admin: sender,
      codeId: BigInt(eventValue(stored, 'store_code', 'code_id')),
      label: 'council multisig',
      msg: Buffer.from('{}'),
      funds: [coin(50_000n * ROLL)],
    }),
  ])
  const contract = eventValue(made, 'instantiate', '_contract_address')
  const stake = (pool: Account, amount: bigint) => ({
    staking: { delegate: { validator: toPoolAddress(pool), amount: coin(amount) } },
  })
  const stakes = [stake(operator(0), 30_000_000_001n), stake(operator(2), 9_999_999_999n)]
  await send(owner, [executeContract(sender, contract, stakes)])
  return contract
}

/** Answers the address of the contract. */
export async function prepare(scene: Scene): Promise<string> {
  const treasurer = scene.person('treasurer')
  const fundPool = createMessage(MsgFundCommunityPool, {
    depositor: treasurer.address,
    amount: [coin(250_000n * ROLL)],
  })
  const [contract] = await Promise.all([
    deployContract(scene),
    fundVoters(scene),
    scene.send(treasurer, [fundPool]),
  ])
  await grantVotes(scene)
  return contract
}
