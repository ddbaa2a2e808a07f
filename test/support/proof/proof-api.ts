// Answers with recorded or generated proofs from memory like the API.

import { readFileSync } from 'node:fs'
import { hashText, readLightBlock } from '../../../infra/base/proof/light-block.ts'
import type { ApiResponse, GetFromApi } from '../../../infra/base/proof/verify-from-api.ts'

type Json = Record<string, unknown>
export type LightBlockJson = {
  header: Json & { height: string; time: string; validators_hash: string }
  commit: Json
  validators: readonly {
    address: string
    pub_key: { type: string; value: string }
    voting_power: string
  }[]
}
type ProofJson = LightBlockJson & {
  height: number
  store: string
  key: string
  value: string
  proofOps: { type: string; key: string; data: string }[]
}
type Recorded = {
  chainId: string
  proposals: { id: string; proof: ProofJson }[]
  lightBlocks: LightBlockJson[]
}

export const RECORDED: Recorded = JSON.parse(
  readFileSync(new URL('../../fixtures/proposal-proofs.json', import.meta.url), 'utf8'),
)

export const computeHash = (block: LightBlockJson, chainId = RECORDED.chainId): string =>
  hashText(readLightBlock(block, chainId).hash)

const AS_OF = { chainId: RECORDED.chainId, height: 100, time: '2026-11-23T02:32:00.000Z' }

const found = (body: object): ApiResponse => ({ status: 200, body: { ...body, asOf: AS_OF } })

const notFound = (code: string, detail: string): ApiResponse => ({
  status: 404,
  body: { type: `/problems/${code}`, title: code, status: 404, detail, code, requestId: 'r-1' },
})

/** `requested` has the path of each request. */
export const createProofApi = (content: typeof RECORDED) => {
  const blocks = [...content.lightBlocks, ...content.proposals.map(({ proof }) => proof)].toSorted(
    (one, other) => Number(one.header.height) - Number(other.header.height),
  )
  const toValidatorsLink = ({ header: { validators_hash: hash } }: LightBlockJson) => ({
    hash,
    link: `/api/validators/${hash}`,
  })
  const toListItem = (block: LightBlockJson) => ({
    height: Number(block.header.height),
    hash: computeHash(block, content.chainId),
    time: block.header.time,
    validatorsHash: block.header.validators_hash,
    link: `/api/light-blocks/${block.header.height}`,
  })
  const list = (): ApiResponse => {
    const { length } = blocks
    return found({
      items: blocks.map(toListItem),
      page: { number: 0, size: 1_000, totalItems: length, totalPages: 1, nextCursor: null },
      links: { self: '/api/light-blocks?page=0', next: null },
    })
  }
  const answerProof = (id: string): ApiResponse => {
    const proof = content.proposals.find((each) => each.id === id)?.proof
    if (!proof) {
      const detail = `The proof of the end of round 1 of proposal ${id} becomes available at height 102.`
      return notFound('proof-not-found', detail)
    }
    const links = { self: `/api/proposals/${id}/proof` }
    const validators = toValidatorsLink(proof)
    return found({ proposalId: id, round: 1, ...proof, validators, reason: null, links })
  }
  const answerLightBlock = (height: string): ApiResponse => {
    const block = blocks.find(({ header }) => header.height === height)
    if (!block) return notFound('light-block-not-found', `Height ${height} has no light block.`)
    const { header, commit } = block
    return found({ ...toListItem(block), header, commit, validators: toValidatorsLink(block) })
  }
  const answerValidators = (hash: string): ApiResponse => {
    const block = blocks.find(({ header }) => header.validators_hash === hash)
    if (block) return { status: 200, body: { hash, validators: block.validators } }
    return notFound('validators-not-found', `No set with the hash ${hash} signed a light block.`)
  }
  const requested: string[] = []
  const get: GetFromApi = async (path) => {
    requested.push(path)
    const { pathname } = new URL(path, 'http://api.test')
    const [, , kind = '', id = ''] = pathname.split('/')
    if (kind === 'proposals') return answerProof(id)
    if (kind === 'validators') return answerValidators(id)
    return id === '' ? list() : answerLightBlock(id)
  }
  return { requested, get }
}
