// Serves recorded or generated proofs from memory like the API: as a function and as an HTTP server.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ApiResponse, GetFromApi } from '../../../infra/base/proof/verify-from-api.ts'
import { computeHash, type LightBlockJson, type ProofJson, RECORDED } from './recorded-proofs.ts'

const AS_OF = { chainId: RECORDED.chainId, height: 100, time: '2026-11-23T02:32:00.000Z' }

export type ProofApiContent = {
  chainId: string
  proposals: readonly { id: string; proof: ProofJson }[]
  lightBlocks: readonly LightBlockJson[]
  /** The path prefix of links: the public base URL of the service. */
  baseUrl?: string
  /** Items of one page of the list of light blocks. */
  pageSize?: number
}

export type ProofApi = { get: GetFromApi; requested: string[] }

const problem = (status: number, code: string, detail: string): ApiResponse => ({
  status,
  body: { type: `/problems/${code}`, title: code, status, detail, code, requestId: 'r-1' },
})

const notFound = (code: string, detail: string): ApiResponse => problem(404, code, detail)

/** `requested` has the path of each request. */
export const createProofApi = (content: ProofApiContent): ProofApi => {
  const { chainId, baseUrl = '', pageSize = 1_000 } = content
  const blocks = [...content.lightBlocks, ...content.proposals.map(({ proof }) => proof)].toSorted(
    (one, other) => Number(one.header.height) - Number(other.header.height),
  )
  const toValidatorsLink = ({ header }: LightBlockJson) => ({
    hash: header.validators_hash,
    link: `${baseUrl}/api/validators/${header.validators_hash}`,
  })
  const toListItem = (block: LightBlockJson) => ({
    height: Number(block.header.height),
    hash: computeHash(block, chainId),
    time: block.header.time,
    validatorsHash: block.header.validators_hash,
    link: `${baseUrl}/api/light-blocks/${block.header.height}`,
  })
  const list = (number: number): ApiResponse => {
    const totalPages = Math.ceil(blocks.length / pageSize)
    const page = (target: number) => `${baseUrl}/api/light-blocks?page=${target}`
    return {
      status: 200,
      body: {
        items: blocks.slice(number * pageSize, (number + 1) * pageSize).map(toListItem),
        page: { number, size: pageSize, totalItems: blocks.length, totalPages, nextCursor: null },
        links: { self: page(number), next: number + 1 < totalPages ? page(number + 1) : null },
        asOf: AS_OF,
      },
    }
  }
  const answerProof = (id: string): ApiResponse => {
    const found = content.proposals.find((each) => each.id === id)
    if (!found)
      return notFound(
        'proof-not-found',
        `The proof of the end of round 1 of proposal ${id} becomes available at height 102.`,
      )
    const { proof } = found
    const body = {
      proposalId: id,
      round: 1,
      ...proof,
      validators: toValidatorsLink(proof),
      reason: null,
      links: { self: `${baseUrl}/api/proposals/${id}/proof` },
      asOf: AS_OF,
    }
    return { status: 200, body }
  }
  const answerLightBlock = (height: string): ApiResponse => {
    const block = blocks.find(({ header }) => header.height === height)
    if (!block) return notFound('light-block-not-found', `Height ${height} has no light block.`)
    const { header, commit } = block
    const body = {
      ...toListItem(block),
      header,
      commit,
      validators: toValidatorsLink(block),
      asOf: AS_OF,
    }
    return { status: 200, body }
  }
  const validatorSet = (hash: string): ApiResponse => {
    const block = blocks.find(({ header }) => header.validators_hash === hash)
    if (!block)
      return notFound(
        'validators-not-found',
        `No validator set with the hash ${hash} signed a light block.`,
      )
    return { status: 200, body: { hash, validators: block.validators } }
  }
  const requested: string[] = []
  return {
    requested,
    get: async (path) => {
      requested.push(path)
      const { pathname, searchParams } = new URL(path, 'http://api.test')
      const [, api, kind = '', id = '', proof] = pathname.split('/')
      if (api === 'api' && kind === 'proposals' && proof === 'proof') return answerProof(id)
      if (api === 'api' && kind === 'validators') return validatorSet(id)
      if (api === 'api' && kind === 'light-blocks' && id !== '') return answerLightBlock(id)
      if (pathname === '/api/light-blocks') return list(Number(searchParams.get('page') ?? 0))
      return notFound('not-found', `There is nothing at ${pathname}.`)
    },
  }
}

/** Listens on a free local port. */
export const serveProofApi = async ({ get }: Pick<ProofApi, 'get'>) => {
  const server = createServer((request, response) => {
    void get(request.url ?? '').then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
