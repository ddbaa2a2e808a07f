// Tests of which light blocks are accepted, and of the error for each kind of damage.
import { describe, expect, it } from 'vitest'
import type { VerifySignature } from '../../../../../infra/base/proof/commit.ts'
import { readJson } from '../../../../../infra/base/proof/json-reader.ts'
import {
  ensureDecided,
  readLightBlock,
  readSignedHeader,
} from '../../../../../infra/base/proof/light-block.ts'
import { readValidators } from '../../../../../infra/base/proof/validators.ts'
import { toSignedBlock } from '../../../../../ingest/comet/verification/light-block.ts'
import {
  LIGHT_CHAIN_ID,
  type LightBlockOptions,
  lightBlockJson,
  type Member,
} from '../../../../support/simulator/signatures.ts'

const MEMBERS: Member[] = [
  { name: 'a', power: 40 },
  { name: 'b', power: 30 },
  { name: 'c', power: 20 },
  { name: 'd', power: 10 },
]

const json = (options: Partial<LightBlockOptions> = {}) =>
  lightBlockJson({ height: 5, members: MEMBERS, ...options })
type Json = ReturnType<typeof json>

const refusedAs = (value: unknown): string => {
  try {
    readLightBlock(value, LIGHT_CHAIN_ID)
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`
  }
  return 'accepted'
}

const damaged = (change: (block: Json) => void): string => {
  const block = json()
  change(block)
  return refusedAs(block)
}

describe('a light block', () => {
  it('is accepted if more than two thirds of the power of its validators signed it', () => {
    const block = readLightBlock(json({ votes: { b: 'absent' } }), LIGHT_CHAIN_ID)
    expect([block.power, block.totalPower]).toEqual([70n, 100n])
  })

  it('is refused at exactly two thirds of the power', () => {
    const thirds = ['x', 'y', 'z'].map((name) => ({ name, power: 10 }))
    const block = lightBlockJson({ height: 5, members: thirds, votes: { z: 'absent' } })
    expect(refusedAs(block)).toBe(
      'not_enough_power: Power of 20 of 30 signed height 5: not more than two thirds.',
    )
  })

  it('does not count votes for no block, and still verifies their signatures', () => {
    expect(refusedAs(json({ votes: { a: 'nil' } }))).toMatch(
      /^not_enough_power: Power of 60 of 100/,
    )
    const block = json({ votes: { d: 'nil' } })
    expect(refusedAs(block)).toBe('accepted')
    const [, , , nil] = block.commit.signatures
    const [first] = block.commit.signatures
    if (nil && first) nil.signature = first.signature
    expect(refusedAs(block)).toMatch(/^wrong_signature: signatures\[3\]/)
  })

  it('is refused with a header of another chain', () => {
    expect(refusedAs(json({ chainId: 'other-1' }))).toBe(
      'wrong_chain: The header of height 5 is of the chain other-1, not of light-1.',
    )
  })

  it('is refused with signatures for another chain', () => {
    const block = json()
    const other = json({ chainId: 'other-1' })
    expect(
      refusedAs({ ...block, commit: { ...other.commit, block_id: block.commit.block_id } }),
    ).toMatch(/^wrong_signature: /)
  })

  it('is refused with two signatures of the same validator', () => {
    const refusal = damaged(({ commit: { signatures } }) => {
      const [first] = signatures
      if (first) signatures[1] = first
    })
    expect(refusal).toMatch(/^duplicate_signature: signatures\[1\] .* is a second one of /)
  })

  it('is refused with another timestamp of a signature', () => {
    const refusal = damaged(({ commit: { signatures } }) => {
      const [first] = signatures
      if (first) first.timestamp = '2026-11-21T00:00:05.000000001Z'
    })
    expect(refusal).toMatch(/^wrong_signature: /)
  })

  it('is refused with validators that do not match the hash in the header', () => {
    const refusal = damaged(({ validators: [first] }) => {
      if (first) first.voting_power = '41'
    })
    expect(refusal).toBe(
      'wrong_validators: The validators do not have the hash that the header of height 5 names.',
    )
  })

  it('is refused with a duplicate validator, a key of another address, and a key that is not Ed25519', () => {
    expect(
      damaged(({ validators }) => {
        const [first] = validators
        if (first) validators[1] = first
      }),
    ).toBe('wrong_validators: proof.validators has a validator twice.')
    expect(
      damaged(({ validators: [first, second] }) => {
        if (first && second) first.address = second.address
      }),
    ).toMatch(/^wrong_validators: proof.validators\[0\].address is not the address/)
    expect(
      damaged(({ validators: [first] }) => {
        if (first) first.pub_key.type = 'tendermint/PubKeySecp256k1'
      }),
    ).toMatch(/^malformed: .*only tendermint\/PubKeyEd25519/)
  })

  it('is refused with a commit of another height or another block', () => {
    const other = lightBlockJson({ height: 6, members: MEMBERS })
    expect(refusedAs({ ...json(), commit: other.commit })).toBe(
      'wrong_height: The commit is of height 6, the header of height 5.',
    )
    const forged = json({ appHash: 'CD'.repeat(32) })
    expect(refusedAs({ ...json(), commit: forged.commit })).toMatch(/^wrong_header: /)
  })

  it('is refused if a member is missing or has the wrong type, with its path', () => {
    expect(refusedAs({})).toBe('malformed: proof must be an object with "header".')
    expect(
      damaged(({ header }) => {
        header.height = '-5'
      }),
    ).toMatch(/^malformed: proof.header.height must be a whole number from 1 to /)
    expect(
      damaged(({ commit: { signatures } }) => {
        const [first] = signatures
        if (first) first.signature = 'AAAA'
      }),
    ).toBe('malformed: proof.commit.signatures[0].signature must be 64 bytes in base64.')
  })

  it('is verified with another Ed25519 implementation if one is given', () => {
    const verified: Uint8Array[] = []
    const verifySignature: VerifySignature = (signature) => verified.push(signature) < 3
    expect(() => readLightBlock(json(), LIGHT_CHAIN_ID, { verifySignature })).toThrow(
      /signatures\[2\] .* is not the signature/,
    )
    expect(verified).toHaveLength(3)
  })

  it('needs no signatures beyond two thirds of the power if only the required ones are verified', () => {
    const block = json()
    const signed = readSignedHeader(readJson(block), LIGHT_CHAIN_ID)
    const validators = readValidators(readJson(block.validators))
    const checked = (forged: number) => () =>
      ensureDecided(signed, validators, {
        onlyNeeded: true,
        verifySignature: (_signature, _bytes, key) => key !== validators[forged]?.key,
      })
    expect(checked(2)()).toEqual({ power: 70n, totalPower: 100n })
    expect(checked(1)).toThrow(/signatures\[1\] .* is not the signature/)
  })
})

describe('a header with the implicit hash of Secret Network', () => {
  const HASHES = ['', 'CD'.repeat(32), '00'.repeat(32)]

  it.each(HASHES)('is verified with the value %j, which its JSON keeps', (implicitHash) => {
    const block = json({ implicitHash })
    const { header } = toSignedBlock(readLightBlock(block, LIGHT_CHAIN_ID))
    expect(header).toMatchObject({ implicit_hash: implicitHash })
    expect(refusedAs({ ...block, header })).toBe('accepted')
  })

  it('is refused if the member is altered, removed or added', () => {
    const variants = [undefined, ...HASHES]
    for (const signed of variants) {
      for (const shown of variants) {
        if (signed === shown) continue
        const block = json(signed === undefined ? {} : { implicitHash: signed })
        const { implicit_hash: _, ...header } = block.header as Json['header'] &
          Record<string, unknown>
        const changed = shown === undefined ? header : { ...header, implicit_hash: shown }
        expect([signed, shown, refusedAs({ ...block, header: changed })]).toEqual([
          signed,
          shown,
          expect.stringContaining('wrong_header'),
        ])
      }
    }
  })

  it('is refused with another length', () => {
    for (const implicit_hash of ['CD', 'CD'.repeat(33), 7, null, {}]) {
      const block = json()
      expect(refusedAs({ ...block, header: { ...block.header, implicit_hash } })).toContain(
        'malformed: ',
      )
    }
  })
})
