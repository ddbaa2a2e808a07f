// Verifies a proposal with data of the API of Rollcall: in the command, and in the browser as the entry of a bundle.
// The responses are JSON from an untrusted server: each member is checked where it is read.
import { toHex } from '@cosmjs/encoding'
import { type JsonReader, readJson } from './json-reader.ts'
import { ProofError } from './proof-error.ts'
import type { VerifiedProposal } from './verify.ts'
import { type ProofSource, type ProposalToVerify, verifyFromSource } from './verify-from-source.ts'

/** A response of the API; `body` is its JSON, or the problem details of an error. */
export type ApiResponse = { status: number; body: unknown }

/** `path` starts with `/api/`. Rejects if there is no response. */
export type GetFromApi = (path: string) => Promise<ApiResponse>

const LIGHT_BLOCKS = '/api/light-blocks'
const ITEMS_PER_PAGE = 1_000
const MAX_PAGES = 1_000
const OK = 200
const NOT_FOUND = 404
const HASH_BYTES = 32

const unavailable = (message: string): ProofError => new ProofError('unavailable', message)

/** The `detail` of problem details, if any. */
const detailIn = (body: unknown): string => {
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null
  return typeof detail === 'string' ? `: ${detail}` : '.'
}

const orNull = <Value>(reader: JsonReader, name: string, read: (value: JsonReader) => Value) =>
  reader.optional(name)?.orNull(read) ?? null

const text = (reader: JsonReader): string => reader.text()

/** Of two equally close heights, the lower one. */
const closestToMiddle = (heights: readonly bigint[], from: bigint, to: bigint): bigint | null => {
  const distance = (height: bigint): bigint => {
    const difference = 2n * height - from - to
    return difference < 0n ? -difference : difference
  }
  return heights
    .filter((height) => height > from && height < to)
    .reduce<bigint | null>(
      (best, height) => (best === null || distance(height) < distance(best) ? height : best),
      null,
    )
}

const notKept = (height: bigint, kept: readonly bigint[]): ProofError => {
  const nearest = [kept.findLast((each) => each < height), kept.find((each) => each > height)]
  const heights = nearest.filter((each) => each !== undefined).join(' and ')
  const hint =
    heights === ''
      ? 'It keeps none yet.'
      : `The nearest that it keeps: ${heights}. Look up the header hash of one of these heights from a source that you trust.`
  return new ProofError(
    'trusted_unknown',
    `Rollcall keeps no light block of height ${height}. ${hint}`,
  )
}

const objectIn = (path: string, { status, body }: ApiResponse): object => {
  if (status !== OK) {
    throw unavailable(`The response to ${path} has the status ${status}${detailIn(body)}`)
  }
  if (typeof body === 'object' && body !== null) return body
  throw new ProofError('malformed', `The response to ${path} must be a JSON object.`)
}

export type ApiProof = {
  proposalId: bigint
  /** The proof of the end of this round, or of the submission for 0; the latest proof if absent. */
  round?: number | undefined
}

export const createApiSource = (get: GetFromApi, { proposalId, round }: ApiProof): ProofSource => {
  const read = async (path: string): Promise<object> => objectIn(path, await get(path))

  const withValidators = async (body: object, path: string): Promise<object> => {
    const hash = readJson(body, path).member('validators').member('hash').hex(HASH_BYTES)
    const set = await read(`/api/validators/${toHex(hash).toUpperCase()}`)
    return { ...body, validators: 'validators' in set ? set.validators : null }
  }

  const readKeptHeights = async (): Promise<bigint[]> => {
    const heights: bigint[] = []
    let path = LIGHT_BLOCKS
    for (let page = 0; page < MAX_PAGES; page++) {
      const list = readJson(await read(path), 'lightBlocks')
      const items = list.member('items').list(ITEMS_PER_PAGE)
      for (const item of items) heights.push(item.member('height').integer({ from: 1n }))
      const next = orNull(list.member('links'), 'next', text)
      // The address of the API may differ from the address in its links.
      const at = next?.lastIndexOf(`${LIGHT_BLOCKS}?`) ?? -1
      if (!next || at < 0 || items.length === 0) break
      path = next.slice(at)
    }
    return heights.sort((one, other) => Number(one - other))
  }
  let kept: Promise<bigint[]> | undefined
  const keptHeights = (): Promise<bigint[]> => {
    kept ??= readKeptHeights()
    return kept
  }

  return {
    proof: async () => {
      const path = `/api/proposals/${proposalId}/proof${round === undefined ? '' : `?round=${round}`}`
      const body = await read(path)
      const reason = orNull(readJson(body), 'reason', text)
      if (reason !== null) {
        throw unavailable(`Rollcall has no proof of proposal ${proposalId}: ${reason}.`)
      }
      return withValidators(body, 'proof')
    },
    lightBlock: async (height) => {
      const path = `${LIGHT_BLOCKS}/${height}`
      const response = await get(path)
      if (response.status === NOT_FOUND) throw notKept(height, await keptHeights())
      return withValidators(objectIn(path, response), `lightBlocks[${height}]`)
    },
    heightBetween: async (from, to) => closestToMiddle(await keptHeights(), from, to),
  }
}

export type ProposalAtApi = ProposalToVerify & Pick<ApiProof, 'round'>

/** Throws a `ProofError` for the first problem. */
export const verifyFromApi = (
  get: GetFromApi,
  { proposalId, trusted, round }: ProposalAtApi,
): Promise<VerifiedProposal> =>
  verifyFromSource(createApiSource(get, { proposalId, round }), { proposalId, trusted })
