// Tests of proofs from a real chain: they verify, and any changed member is refused.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hashText, readLightBlock } from '../../../../../infra/base/proof/light-block.ts'
import { ProofError } from '../../../../../infra/base/proof/proof-error.ts'
import { type Claim, verifyProposal } from '../../../../../infra/base/proof/verify.ts'

type Json = null | string | number | boolean | Json[] | { [name: string]: Json }
type Path = readonly (string | number)[]

/** The path of every text, number and flag of the JSON. */
const listLeaves = (value: Json, path: Path = []): Path[] => {
  if (Array.isArray(value)) return value.flatMap((item, n) => listLeaves(item, [...path, n]))
  if (value !== null && typeof value === 'object') {
    return Object.entries(value).flatMap(([name, item]) => listLeaves(item, [...path, name]))
  }
  return value === null ? [] : [path]
}

/** Another value of the same form, with one changed digit, letter or bit. */
const altered = (value: Json): Json => {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string' || value === '') return 'AAAA'
  const at = Math.floor(value.length / 2)
  const digit = /[0-9]/.test(value)
    ? [...value].findIndex((one, n) => n >= at && /[0-9]/.test(one))
    : at
  const position = digit < 0 ? value.search(/[0-9]/) : digit
  const next = value[position] === '1' ? '2' : '1'
  return value.slice(0, position) + next + value.slice(position + 1)
}

const changedAt = (json: Json, [name, ...rest]: Path): Json => {
  if (name === undefined) return altered(json)
  if (Array.isArray(json)) return json.map((item, n) => (n === name ? changedAt(item, rest) : item))
  const object = json as { [name: string]: Json }
  return { ...object, [name]: changedAt(object[name] ?? null, rest) }
}

type Recorded = {
  chainId: string
  proposals: { id: string; proof: { [name: string]: Json } }[]
  lightBlocks: Json[]
}

const recorded: Recorded = JSON.parse(
  readFileSync(new URL('../../../../fixtures/proposal-proofs.json', import.meta.url), 'utf8'),
)
const { chainId } = recorded
const lightBlocks = recorded.lightBlocks.map((json) => readLightBlock(json, chainId))
const [first] = lightBlocks
const [passed, rejected] = recorded.proposals
if (!passed || !rejected || !first) throw new Error('the recording has no proposals')
const trusted = { height: 1n, hash: hashText(first.hash) }
const toClaim = ({ id }: { id: string }): Claim => ({ chainId, proposalId: BigInt(id), trusted })

/** A member that no hash and no signature covers, and that the verifier ignores. */
const IGNORED_MEMBER = /\.proposer_priority$/

describe('the proof of a proposal', () => {
  it('links the stored bytes to a trusted header, and reports what each step proves', () => {
    const { proposal, height, steps } = verifyProposal(passed.proof, toClaim(passed), lightBlocks)
    expect(proposal).toMatchObject({ id: passed.id, status: 'passed' })
    expect(BigInt(proposal.tally?.yes ?? 0)).toBeGreaterThan(0n)
    expect(height).toBe(BigInt(passed.proof['height'] as number))
    expect(steps.map(({ step }) => step)).toEqual(['value', 'header', 'signatures', 'trust'])
    const other = verifyProposal(rejected.proof, toClaim(rejected), lightBlocks)
    expect(other.proposal).toMatchObject({ status: 'rejected', tally: { yes: '0' } })
  })

  it('is refused for another proposal, another chain, and another trusted header', () => {
    const verify = (claim: Partial<Claim>) => () =>
      verifyProposal(passed.proof, { ...toClaim(passed), ...claim }, lightBlocks)
    expect(verify({ proposalId: 99n })).toThrow('The key of the proof is not that of proposal 99.')
    expect(verify({ chainId: 'other-1' })).toThrow(
      'is of the chain rollcall-demo-1, not of other-1',
    )
    expect(verify({ trusted: { ...trusted, hash: 'AB'.repeat(32) } })).toThrow(
      'does not have the trusted hash',
    )
  })

  // 150 proofs with all their signatures.
  it('is refused with any changed member', () => {
    const leaves = listLeaves(passed.proof).filter(
      (path) => !IGNORED_MEMBER.test(`.${path.join('.')}`),
    )
    expect(leaves.length).toBeGreaterThan(150)
    for (const path of leaves) {
      const json = changedAt(passed.proof, path)
      const verify = () => verifyProposal(json, toClaim(passed), lightBlocks)
      expect(verify, path.join('.')).toThrow(ProofError)
    }
  })

  it('is refused with the header of the previous height', () => {
    const [, second] = recorded.lightBlocks
    const json = { ...passed.proof, ...(second as object) }
    expect(() => verifyProposal(json, toClaim(passed), lightBlocks)).toThrow(
      /is in the header of height/,
    )
  })
})
