// Tests that VERIFY_HEADERS refuses blocks that the validators of the chain did not sign: one test per false response of a node,
// validators that change, and a restart.
import { toBase64 } from '@cosmjs/encoding'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startCrossed } from '../support/chain/crossed-nodes.ts'
import { ofType } from '../support/chain/ingest-run.ts'
import {
  createTurns,
  createVotes,
  expectWhole,
  followToTip,
  type Lie,
  SIGNED_TIP,
  signedByLiars,
  signedNode,
  startVerifiedRig,
  votesAt,
} from '../support/chain/signed-nodes.ts'
import { waitUntil } from '../support/chain/source-rig.ts'
import { createGovStory } from '../support/chain/votes.ts'
import { createBlockChain } from '../support/simulator/block-chain.ts'
import { sha256 } from '../support/simulator/blocks.ts'
import type { ServedChain } from '../support/simulator/rpc/served-chain.ts'
import type { Member } from '../support/simulator/signatures.ts'
import {
  computeDataHash,
  createSignedChain,
  type Signed,
} from '../support/simulator/signed-chain.ts'

const CHAIN = createVotes()
const FALSE_AT = 6
const ANY_HASH = 'CD'.repeat(32)

const absent = {
  block_id_flag: 1,
  validator_address: '',
  signature: null,
  timestamp: '0001-01-01T00:00:00Z',
}

const LIES: readonly { description: string; lie: Lie; reason: RegExp }[] = [
  {
    description: 'changes the transaction of a vote',
    lie: ({ txs }) => {
      txs[1] = toBase64(Buffer.from('vote yes!'))
    },
    reason: /block 6 could not be verified: Its transactions do not have the hash/,
  },
  {
    description: 'omits a transaction',
    lie: ({ txs, results }) => {
      txs.pop()
      results.pop()
    },
    reason: /block 6 could not be verified: Its transactions do not have the hash/,
  },
  {
    description: 'changes a transaction and the hash of the header',
    lie: (blockData) => {
      blockData.txs[1] = toBase64(Buffer.from('vote yes!'))
      blockData.header.data_hash = computeDataHash(
        blockData.txs.map((tx) => Buffer.from(tx, 'base64')),
      )
    },
    reason: /block 6 could not be verified: The header of height 6 has the hash \w+; the commit/,
  },
  {
    description: 'changes the block hash',
    lie: ({ blockId }) => {
      blockId.hash = ANY_HASH
    },
    reason: /block 6 could not be verified: Its header has the hash \w+, not CDCD/,
  },
  {
    description: 'changes a required signature',
    lie: ({ commit: { signatures } }) => {
      const [first, second] = signatures
      if (first && second) first.signature = second.signature
    },
    reason: /block 6 could not be verified: signatures\[0\] of the commit .* is not the signature/,
  },
  {
    description: 'omits the signatures of a third of the power',
    lie: ({ commit: { signatures } }) => {
      for (const at of [2, 3] as const) {
        const signature = signatures[at]
        if (signature) Object.assign(signature, absent)
      }
      Object.assign(signatures[1] ?? {}, absent)
    },
    reason: /block 6 could not be verified: Power of 40 of 100 signed height 6/,
  },
  {
    description: 'serves the commit of another height',
    lie: ({ commit }) => {
      commit.height = '5'
    },
    reason: /block 6 could not be verified: The commit is of height 5/,
  },
  {
    description: 'serves no commit',
    lie: (blockData) => {
      Object.assign(blockData, { commit: null })
    },
    reason: /commit.block_id.hash is missing/,
  },
  {
    description: 'signs its own block with its own validators',
    lie: signedByLiars,
    reason: /block 6 is signed by the validators \w+, not by the validators in the previous block/,
  },
]

describe('a node of a chain whose headers are verified', {
  tags: 'ingest:headers-are-verified',
}, () => {
  it('is followed to its latest block without waiting for the next one', async () => {
    const chain = createVotes()
    const rig = await followToTip(chain, [signedNode(chain)])
    rig.addBlock(0, votesAt(SIGNED_TIP + 1))
    await rig.reached(SIGNED_TIP + 1)
    expectWhole(rig)
    expect(rig.delivered.map((each) => each.block.validatorsHash)).toEqual(
      rig.delivered.map((each) => chain.signed(each.block.height).header.validators_hash),
    )
    expect(rig.refusals(0)).toEqual([])
    // A gateway may forbid what is not needed: headers come with their commits.
    const methods = rig.nodes[0]?.requests.map(({ method }) => method) ?? []
    expect(methods).not.toContain('blockchain')
    expect(methods.filter((method) => method === 'validators')).toHaveLength(1)
  })

  for (const { description, lie, reason } of LIES) {
    it(`is refused by name if it ${description}, and another endpoint is used`, async () => {
      const lying = signedNode(CHAIN, lie, (height) => height === FALSE_AT)
      const rig = await followToTip(CHAIN, [lying, signedNode(CHAIN)])
      expect(rig.refusals(0)).toEqual([expect.stringMatching(reason)])
      expect(rig.refusals(1)).toEqual([])
    })
  }

  it('is not followed further if it is the only one, and the reason is shown', async () => {
    const lying = signedNode(CHAIN, signedByLiars, (height) => height === FALSE_AT)
    const rig = await startVerifiedRig(CHAIN, [lying])
    void rig.follow()
    const reasons = () => rig.health.readiness().reasons.join('\n')
    await waitUntil(() => /height 6 cannot be read/.test(reasons()), 'the height waits')
    expect(rig.health.readiness().ready).toBe(false)
    expect(reasons()).toMatch(/block 6 is signed by the validators/)
    expect(rig.delivered.map((each) => each.block.height)).toEqual([1, 2, 3, 4, 5])
    const named = () => rig.lines.filter(({ msg }) => msg === 'waited for an endpoint')
    await waitUntil(() => named().length > 0, 'the log names it')
    expect(named()).toHaveLength(1)
  })

  it('is refused by name if it changes the validators, and another endpoint is used', async () => {
    const lying = signedNode(CHAIN, ({ validators: [first] }) => {
      if (first) first.voting_power = '1000'
    })
    const rig = await followToTip(CHAIN, [lying, signedNode(CHAIN)])
    expect(rig.refusals(0)).toEqual([
      expect.stringMatching(
        /The validators do not have the hash that the header of height \d+ names/,
      ),
    ])
  })

  it('gives no light block of another block, and another endpoint is asked', async () => {
    const lying = signedNode(CHAIN, signedByLiars, (height) => height === FALSE_AT)
    const rig = await startVerifiedRig(CHAIN, [lying, signedNode(CHAIN)])
    await rig.node.status()
    const { validatorsHash } = await rig.node.lightBlock!(FALSE_AT, CHAIN.block(FALSE_AT).hash)
    expect(validatorsHash).toBe(CHAIN.signed(FALSE_AT).header.validators_hash)
    expect(rig.refusals(0)).toEqual([
      expect.stringMatching(/the header of height 6 has the hash \w+, not \w+/),
    ])
  })

  it('is refused with the key type if a validator signs with a type other than Ed25519', async () => {
    const other = signedNode(CHAIN, ({ validators: [, second] }) => {
      if (second) second.pub_key.type = 'tendermint/PubKeySecp256k1'
    })
    const rig = await startVerifiedRig(CHAIN, [other])
    void rig.follow()
    await waitUntil(() => rig.refusals(0).length > 0, 'the block is refused')
    expect(rig.refusals(0)).toEqual([
      expect.stringMatching(
        /validators\[1\].pub_key.type is tendermint\/PubKeySecp256k1: only tendermint\/PubKeyEd25519/,
      ),
    ])
    expect(rig.delivered).toEqual([])
  })
})

describe('a chain whose headers have the root of a data square', () => {
  const blocks = Array.from({ length: SIGNED_TIP }, (_, index) => votesAt(index + 1))
  const squareOf = (txs: readonly Uint8Array[]) => sha256(`square ${Buffer.concat(txs)}`)
  const chain = createSignedChain(createBlockChain({ blocks }), { dataHashOf: squareOf })

  it('is followed, each block is marked, and still needs the signatures of its validators', async () => {
    const forged = signedNode(chain, signedByLiars, (height) => height === FALSE_AT)
    const rig = await followToTip(chain, [forged, signedNode(chain)])
    expect(rig.delivered.every(({ block }) => block.hasUnverifiedTxs === true)).toBe(true)
    expect(rig.refusals(0)).toEqual([expect.stringMatching(/block 6 is signed by the validators/)])
  })
})

const many = (height: number): Member[] =>
  Array.from({ length: 130 }, (_, index) => ({ name: `v${index}`, power: 1_000 - index + height }))

describe('the validators of a chain whose headers are verified', () => {
  it('can change with every block', async () => {
    const chain = createVotes((height) => [
      { name: 'a', power: 40 + height },
      { name: `b${Math.floor(height / 3)}`, power: 40 },
      { name: 'c', power: 35 },
    ])
    const rig = await followToTip(chain, [signedNode(chain)])
    expect(rig.refusals(0)).toEqual([])
  })

  it('can need more than one page', async () => {
    const chain = createSignedChain(createBlockChain({ blocks: [votesAt(1), votesAt(2)] }), {
      membersAt: (height) => many(height > 1 ? 1 : 0),
    })
    const rig = await startVerifiedRig(chain, [signedNode(chain)])
    void rig.follow()
    await rig.reached(2)
    const reads = rig.nodes[0]?.requests.filter(({ method }) => method === 'validators')
    expect(reads).toHaveLength(4)
    expect(rig.refusals(0)).toEqual([])
  })
})

describe('a log whose headers are verified from its last block on', () => {
  const LAST = 5
  const RESUMED = { from: LAST + 1, previousHash: CHAIN.block(LAST).hash }
  const afterLast = (height: number) => height > LAST

  it('continues only with blocks of the validators that its last block names', async () => {
    const lying = signedNode(CHAIN, signedByLiars, (height) => height === FALSE_AT)
    const rig = await followToTip(CHAIN, [lying, signedNode(CHAIN)], RESUMED)
    expect(rig.refusals(0)).toEqual([expect.stringMatching(/block 6 is signed by the validators/)])
  })

  it('does not continue from an endpoint that alters the header of its last block', async () => {
    const altered: Lie = ({ header }) => {
      header.next_validators_hash = ANY_HASH
    }
    const lying = signedNode(CHAIN, altered, (height) => !afterLast(height))
    const rig = await followToTip(CHAIN, [lying, signedNode(CHAIN)], RESUMED)
    expect(rig.refusals(0)).toEqual([expect.stringMatching(/block 5 could not be verified/)])
  })

  it('does not continue if all endpoints have another block in place of its last one', async () => {
    const rig = await startVerifiedRig(CHAIN, [signedNode(CHAIN)])
    void rig.follow({ from: LAST + 1, previousHash: ANY_HASH })
    const reasons = () => rig.health.readiness().reasons.join()
    const other = `header: block 5 is ${CHAIN.block(LAST).hash}, not ${ANY_HASH}`
    await waitUntil(() => reasons().includes(other), 'it is said')
    expect(reasons()).toContain('height 5 cannot be read')
    expect(rig.delivered).toEqual([])
  })

  it('continues with a warning if no endpoint has its last block any more', async () => {
    const rig = await startVerifiedRig(CHAIN, [signedNode(CHAIN)])
    rig.nodes[0]?.fault('pruned heights', { height: LAST + 1 })
    void rig.follow(RESUMED)
    await rig.reached(SIGNED_TIP)
    expectWhole(rig, LAST + 1)
    const warnings = rig.lines.filter(
      ({ msg }) => msg === 'trusts the validators of the next block without a check',
    )
    expect(warnings).toEqual([expect.objectContaining({ height: LAST })])
  })
})

it('ingest with VERIFY_HEADERS refuses an endpoint that omits a vote, and writes the votes of another one', async () => {
  const chain = createGovStory()
  const inTurn = createTurns()
  const dropsVote: Lie = ({ txs, results }) => {
    txs.pop()
    results.pop()
  }
  let signed: Signed<ServedChain> | undefined
  const run = await startCrossed(chain, [{}, {}], {
    // On a busy machine, no node may be refused for being slow.
    env: { RPC_TIMEOUT_SECONDS: '30', VERIFY_HEADERS: 'true' },
    serve: (shown, order) => {
      signed ??= createSignedChain(shown)
      const lie = order === 0 ? dropsVote : undefined
      return inTurn(
        signedNode(signed, lie, (height) => height === 4),
        order,
      )
    },
  })
  onTestFinished(run.stop)
  await run.reached(chain.tip)
  const votes = ofType(await run.events(), 'rollcall.vote.cast.v1')
  expect(votes.some(({ height }) => height === 4)).toBe(true)
  expect(run.lines.filter(({ msg }) => msg === 'endpoint failed')).toEqual([
    expect.objectContaining({
      endpoint: run.names[0],
      reason: expect.stringContaining('Its transactions do not have the hash'),
    }),
  ])
})
