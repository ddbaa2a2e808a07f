// Tests the limits of the members of a header and of a validator set, each with its message.
import { describe, expect, it } from 'vitest'
import { type Header, readHeader } from '../../../../../infra/base/proof/header.ts'
import { readJson } from '../../../../../infra/base/proof/json-reader.ts'
import { readValidators } from '../../../../../infra/base/proof/validators.ts'
import { lightBlockJson } from '../../../../support/simulator/signatures.ts'

const members = [
  { name: 'a', power: 2 },
  { name: 'b', power: 1 },
]
type Json = ReturnType<typeof lightBlockJson>

const read = (change: (header: Json['header']) => void) => (): Header => {
  const { header } = lightBlockJson({ height: 5, members })
  change(header)
  return readHeader(readJson(header, 'header'))
}

const readSet = (change: (validators: Json['validators']) => void) => () => {
  const { validators } = lightBlockJson({ height: 5, members })
  change(validators)
  return readValidators(readJson(validators, 'validators'))
}

describe('a header', () => {
  it('is refused if it is of another block protocol, which has another encoding', () => {
    for (const block of ['10', '12'])
      expect(read(({ version }) => Object.assign(version, { block: block }))).toThrow(
        `header.version.block is ${block}: only headers of block protocol 11 can be verified.`,
      )
  })

  it('has the version of the application, or 0', () => {
    expect(read(() => {})().version).toEqual({ block: 11n, app: 0n })
    expect(read((header) => Object.assign(header.version, { app: '3' }))().version).toEqual({
      block: 11n,
      app: 3n,
    })
  })

  it.each(['', 'x'.repeat(51), 'é'.repeat(26)])('is refused with the chain ID %j', (chainId) => {
    expect(read((header) => Object.assign(header, { chain_id: chainId }))).toThrow(
      'header.chain_id must be a text of 1 to 50 bytes.',
    )
  })

  it.each(['0', '-1', '9223372036854775808'])('is refused with the height %s', (height) => {
    expect(read((header) => Object.assign(header, { height: height }))).toThrow(
      'header.height must be a whole number from 1 to 9223372036854775807.',
    )
  })

  it.each([
    'last_commit_hash',
    'data_hash',
    'validators_hash',
    'next_validators_hash',
    'consensus_hash',
    'last_results_hash',
    'evidence_hash',
  ] as const)('is refused with a short %s', (name) => {
    expect(read((header) => Object.assign(header, { [name]: 'AB' }))).toThrow(
      `header.${name} must be 32 bytes in hex.`,
    )
  })

  it('is refused with a short address of the proposer', () => {
    expect(read((header) => Object.assign(header, { proposer_address: 'AB' }))).toThrow(
      'header.proposer_address must be 20 bytes in hex.',
    )
  })

  it('names the block before completely, or not at all', () => {
    const empty = { hash: '', parts: { total: 0, hash: '' } }
    expect(
      read((header) => Object.assign(header, { last_block_id: empty }))().lastBlockId.parts.total,
    ).toBe(0)
    const hash = 'AB'.repeat(32)
    const broken = [
      [{ hash: 'AB', parts: { total: 1, hash } }, 'last_block_id.hash must be 32 bytes in hex.'],
      [
        { hash, parts: { total: 0, hash } },
        'parts.total must be a whole number from 1 to 4294967295.',
      ],
      [{ hash, parts: { total: 2 ** 32, hash } }, 'parts.total must be a whole number from 1 to'],
      [{ hash, parts: { total: 1, hash: '' } }, 'parts.hash must be 32 bytes in hex.'],
      [
        { hash: '', parts: { total: 1, hash: '' } },
        'parts.total must be a whole number from 0 to 0.',
      ],
      [{ hash: '', parts: { total: 0, hash } }, 'parts.hash must be 0 bytes in hex.'],
    ] as const
    for (const [last_block_id, message] of broken)
      expect(read((header) => Object.assign(header, { last_block_id }))).toThrow(message)
  })
})

describe('a validator set', () => {
  it.each(['0', '-1', '9223372036854775808', '1.5'])('is refused with the power %s', (power) => {
    expect(readSet(([first]) => first && Object.assign(first, { voting_power: power }))).toThrow(
      'validators[0].voting_power must be a whole number from 1 to 9223372036854775807.',
    )
  })

  it('is refused with more power in total than CometBFT allows', () => {
    const most = (2n ** 63n - 1n) / 8n
    expect(
      readSet(([first]) => first && Object.assign(first, { voting_power: `${most - 1n}` }))(),
    ).toHaveLength(2)
    expect(
      readSet(([first]) => first && Object.assign(first, { voting_power: `${most}` })),
    ).toThrow(`validators has a total power above ${most}.`)
  })

  it.each(['tendermint/PubKeySecp256k1', 'cometbft/PubKeyBls12_381', ''])(
    'is refused by name with a key of the type %j',
    (type) => {
      expect(readSet(([first]) => first && Object.assign(first.pub_key, { type }))).toThrow(
        `validators[0].pub_key.type is ${type}: only tendermint/PubKeyEd25519 can be verified.`,
      )
    },
  )

  it('is refused if it is empty', () => {
    expect(readSet((validators) => void validators.splice(0))).toThrow('validators is empty.')
  })

  it('is read with any priority of a proposer, which the hash does not cover', () => {
    expect(
      readSet(([first]) => first && Object.assign(first, { proposer_priority: '-5' }))(),
    ).toHaveLength(2)
  })
})
