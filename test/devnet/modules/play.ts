// Submits a proposal of every message that the node's modules let governance sign; none gets the deposit that a vote needs.
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { MsgSubmitProposal } from 'cosmjs-types/cosmos/gov/v1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type Account, moduleAddress } from '../accounts.ts'
import type { Devnet } from '../chain.ts'
import { operatorAddress } from '../genesis.ts'
import { coin, instantiate, storeCode } from '../messages.ts'
import { type Chain, connectChain, eventValue } from '../transactions.ts'
import { accountProposals } from './accounts.ts'
import { fundProposals } from './funds.ts'
import { groupProposals } from './groups.ts'
import { createClient, ibcProposals } from './ibc.ts'
import { nestedProposals } from './nested.ts'
import { parameterProposals } from './params.ts'
import type { ModuleProposal, Stage } from './stage.ts'
import { wasmProposals } from './wasm.ts'

const SUBMIT_GAS = 60_000_000
/** Too little for a vote: the chain drops the proposal when its deposit period ends, and nothing else changes. */
const DEPOSIT = coin(1_000_000n)

export type SubmittedProposal = { name: string; id: string; height: number }

function personNamed(devnet: Devnet, name: string): Account {
  const account = devnet.accounts.people.find((person) => person.name === name)
  if (!account) throw new Error(`no account is called ${name}`)
  return account
}

async function prepareStage(devnet: Devnet, chain: Chain, contractPath: string): Promise<Stage> {
  const owner = personNamed(devnet, 'core-team')
  const [first, second] = devnet.accounts.operators
  if (!first || !second) throw new Error('the chain needs two pools')
  const code = gzipSync(await readFile(contractPath), { level: 9 })
  const stored = await chain.send(owner, [storeCode(owner.address, code)], { gas: 30_000_000 })
  const codeId = BigInt(eventValue(stored, 'store_code', 'code_id'))
  const made = await chain.send(owner, [instantiate(owner.address, codeId, 1n)])
  const nowMs = chain.tip().timeMs
  const clients: string[] = []
  for (let count = 0; count < 2; count++) {
    const created = await chain.send(owner, [createClient(owner.address, nowMs)])
    clients.push(eventValue(created, 'create_client', 'client_id'))
  }
  const [subject = '', substitute = ''] = clients
  return {
    rpc: chain.rpc,
    governance: moduleAddress('gov'),
    recipient: personNamed(devnet, 'community').address,
    other: owner.address,
    pools: [operatorAddress(first.address), operatorAddress(second.address)],
    poolOfGovernance: operatorAddress(moduleAddress('gov')),
    contract: eventValue(made, 'instantiate', '_contract_address'),
    codeId,
    code,
    clients: [subject, substitute],
    nowMs,
  }
}

function submission(proposer: string, name: string, messages: Any[]) {
  const value = MsgSubmitProposal.fromPartial({
    proposer,
    title: name,
    summary: `Shows how messages are decoded: ${name}.`,
    metadata: '',
    initialDeposit: [DEPOSIT],
    messages,
  })
  return { typeUrl: MsgSubmitProposal.typeUrl, value }
}

async function allProposals(stage: Stage): Promise<ModuleProposal[]> {
  return [
    ...(await parameterProposals(stage)),
    ...[
      fundProposals,
      accountProposals,
      groupProposals,
      wasmProposals,
      ibcProposals,
      nestedProposals,
    ].flatMap((make) => make(stage)),
  ]
}

export async function playModules(
  devnet: Devnet,
  { contractPath }: { contractPath: string },
): Promise<SubmittedProposal[]> {
  const chain = await connectChain(devnet.rpcUrl, devnet.spec.chainId)
  try {
    await chain.untilHeight(2)
    const stage = await prepareStage(devnet, chain, contractPath)
    const proposer = personNamed(devnet, 'depositor')
    const proposals = await allProposals(stage)
    const outcomes = await Promise.all(
      proposals.map(async ({ name, messages }) => {
        const message = submission(proposer.address, name, messages)
        return {
          name,
          ...(await chain.send(proposer, [message], { gas: SUBMIT_GAS, mayFail: true })),
        }
      }),
    )
    const refused = outcomes.filter(({ code }) => code !== 0)
    if (refused.length > 0)
      throw new Error(refused.map(({ name, log }) => `${name}: ${log}`).join('\n'))
    return outcomes.map((outcome) => ({
      name: outcome.name,
      id: eventValue(outcome, 'submit_proposal', 'proposal_id'),
      height: outcome.height,
    }))
  } finally {
    await chain.close()
  }
}
