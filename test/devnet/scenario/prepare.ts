// Prepares the scenario: funds hundreds of voters, delegates, grants and deploys the contract.
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { EncodeObject } from '@cosmjs/proto-signing'
import { MsgMultiSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgDelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { type Account, createAccount } from '../accounts.ts'
import { BOND_DENOM } from '../chain-spec.ts'
import { coin, contractVote, fundPool, grant, instantiate, storeCode } from '../messages.ts'
import { eventValue } from '../transactions.ts'
import { chance, ROLL, type Scene, toPoolAddress } from './scene.ts'

const VOTER_COUNT = 340
const ALLOWANCE = 40_000n * ROLL

export function createVoters(): Promise<Account[]> {
  return Promise.all(
    Array.from({ length: VOTER_COUNT }, (_, index) => createAccount(`voter ${index}`)),
  )
}

export function delegate(delegator: Account, pool: Account, amount: bigint): EncodeObject {
  return {
    typeUrl: '/cosmos.staking.v1beta1.MsgDelegate',
    value: MsgDelegate.fromPartial({
      delegatorAddress: delegator.address,
      validatorAddress: toPoolAddress(pool),
      amount: coin(amount),
    }),
  }
}

async function fundVoters(scene: Scene): Promise<void> {
  const faucet = scene.person('faucet')
  const total = ALLOWANCE * BigInt(scene.voters.length)
  const message = {
    typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend',
    value: MsgMultiSend.fromPartial({
      inputs: [{ address: faucet.address, coins: [coin(total)] }],
      outputs: scene.voters.map(({ address }) => ({ address, coins: [coin(ALLOWANCE)] })),
    }),
  }
  await scene.chain.send(faucet, [message], { gas: 60_000_000 })
}

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

async function delegateAll(scene: Scene): Promise<void> {
  // Every twelfth voter holds nothing: a ballot without weight is a ballot too.
  const delegators = scene.voters.filter((_, index) => index % 12 !== 5)
  await Promise.all(
    delegators.map((voter) =>
      scene.chain.send(voter, createDelegations(scene, voter), { gas: 2_000_000 }),
    ),
  )
}

async function grantVotes(scene: Scene): Promise<void> {
  const delegateAccount = scene.person('delegate')
  const subDelegate = scene.person('sub-delegate')
  const voteType = '/cosmos.gov.v1.MsgVote'
  const granters = scene.voters.slice(0, 6)
  await Promise.all([
    ...granters.map((voter) =>
      scene.chain.send(voter, [
        grant(voter.address, delegateAccount.address, voteType),
        grant(voter.address, delegateAccount.address, '/cosmos.gov.v1.MsgVoteWeighted'),
      ]),
    ),
    scene.chain.send(delegateAccount, [
      grant(delegateAccount.address, subDelegate.address, '/cosmos.authz.v1beta1.MsgExec'),
    ]),
  ])
}

async function deployContract(scene: Scene, contractPath: string): Promise<void> {
  const owner = scene.person('core-team')
  const code = gzipSync(await readFile(contractPath), { level: 9 })
  const stored = await scene.chain.send(owner, [storeCode(owner.address, code)], {
    gas: 30_000_000,
  })
  const codeId = BigInt(eventValue(stored, 'store_code', 'code_id'))
  const made = await scene.chain.send(owner, [instantiate(owner.address, codeId, 50_000n * ROLL)])
  scene.contract = eventValue(made, 'instantiate', '_contract_address')
  const stake = (pool: Account, amount: bigint) => ({
    staking: {
      delegate: {
        validator: toPoolAddress(pool),
        amount: { denom: BOND_DENOM, amount: String(amount) },
      },
    },
  })
  const [first, second] = [scene.operators[0], scene.operators[2]]
  if (!first || !second) throw new Error('the contract needs two pools')
  const stakes = [stake(first, 30_000_000_001n), stake(second, 9_999_999_999n)]
  await scene.chain.send(owner, [contractVote(owner.address, scene.contract, stakes)], {
    gas: 5_000_000,
  })
}

export async function prepare(scene: Scene, contractPath: string): Promise<void> {
  await fundVoters(scene)
  const treasurer = scene.person('treasurer')
  await Promise.all([
    delegateAll(scene),
    deployContract(scene, contractPath),
    scene.chain.send(treasurer, [fundPool(treasurer.address, 250_000n * ROLL)]),
  ])
  await grantVotes(scene)
}
