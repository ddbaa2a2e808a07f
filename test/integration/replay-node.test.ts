// Tests of the replay node of the demo with its recording: it behaves like a real node and hides future heights.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import {
  QueryDepositsResponse,
  QueryProposalRequest,
  QueryProposalResponse,
  QueryProposalsRequest,
  QueryProposalsResponse,
  QueryTallyResultRequest,
  QueryTallyResultResponse,
  QueryVotesRequest,
  QueryVotesResponse,
} from 'cosmjs-types/cosmos/gov/v1/query'
import {
  QueryPoolResponse,
  QueryValidatorsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import {
  DEFAULT_BLOCK_MS,
  type DemoNodeOptions,
  startDemoNode,
} from '../../infra/app/demo/demo-node.ts'
import { openRecording } from '../../infra/app/demo/recording.ts'
import { createRawRpc } from '../devnet/rpc.ts'
import { openTestRecording, TEST_RECORDING } from '../support/chain/test-recording.ts'
import { createFakeClock } from '../support/process/fake-clock.ts'

const GOV = '/cosmos.gov.v1.Query'
const STAKING = '/cosmos.staking.v1beta1.Query'
const recording = openTestRecording()
const { firstHeight, lastHeight, proposals } = recording.manifest

async function setup(options: Omit<DemoNodeOptions, 'recording'> = {}) {
  const clock = createFakeClock({ autoAdvance: false })
  const tick = async () => {
    clock.advance(DEFAULT_BLOCK_MS)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const node = await startDemoNode({ recording, clock, ...options })
  onTestFinished(() => node.close())
  return { node, tick, rpc: createRawRpc(node.url) }
}

const whole = () => setup({ preload: lastHeight })

const post = async (url: string, body: string) => {
  const response = await fetch(url, { method: 'POST', body })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const get = async (url: string) => JSON.parse(await (await fetch(url)).text())

const getProposalId = (name: string): bigint => BigInt(proposals[name] ?? 0)
const proposalRequest = (id: bigint) => QueryProposalRequest.encode({ proposalId: id }).finish()
const votesRequest = (id: bigint, key: Uint8Array = new Uint8Array()) =>
  QueryVotesRequest.encode(
    QueryVotesRequest.fromPartial({ proposalId: id, pagination: { key, limit: 7n } }),
  ).finish()

test('starts 150 blocks before the end, advances one block at a time and stops at the last', async () => {
  const { node, tick, rpc } = await setup()
  expect(node.height()).toBe(lastHeight - 150)
  await tick()
  const status = await rpc.call('status')
  expect(status.sync_info.latest_block_height).toBe(String(lastHeight - 149))
  expect(status.node_info.network).toBe('rollcall-demo-1')
  for (let block = 0; block < 200; block++) await tick()
  expect(node.height()).toBe(lastHeight)
})

test('returns no block, result or state of a future height', async () => {
  const { rpc } = await setup({ preload: 100 })
  const refusal = 'height 101 must be less than or equal to the current blockchain height 100'
  await expect(rpc.call('block', { height: '101' })).rejects.toThrow(refusal)
  await expect(rpc.call('block_results', { height: '101' })).rejects.toThrow(refusal)
  const answer = await rpc.abciQuery(`${STAKING}/Pool`, new Uint8Array(), 101)
  expect(answer).toMatchObject({
    code: 26,
    codespace: 'sdk',
    log: 'cannot query with height in the future; please provide a valid height: invalid height',
  })
})

test('serves every height, and each block links to the previous one', async () => {
  const { rpc } = await whole()
  let previous = ''
  for (let height = firstHeight; height <= lastHeight; height++) {
    const block = await rpc.call('block', { height: String(height) })
    const results = await rpc.call('block_results', { height: String(height) })
    expect(block.block.header.height).toBe(String(height))
    expect(results.height).toBe(String(height))
    expect(block.block.last_commit.height).toBe(String(height - 1))
    expect(block.block.header.last_block_id.hash).toBe(previous)
    expect(block.block.data.txs?.length ?? 0).toBe(results.txs_results?.length ?? 0)
    previous = block.block_id.hash
  }
})

test('supports POST, batches, positional arguments and URIs equally', async () => {
  const { node } = await whole()
  const named = await post(
    node.url,
    '{"jsonrpc":"2.0","id":3,"method":"block","params":{"height":"5"}}',
  )
  const ordered = await post(node.url, '{"jsonrpc":"2.0","id":3,"method":"block","params":["5"]}')
  const batch = await post(
    node.url,
    '[{"jsonrpc":"2.0","id":1,"method":"health"},{"jsonrpc":"2.0","id":3,"method":"block","params":{"height":"5"}}]',
  )
  const uri = await get(`${node.url}/block?height=5`)
  expect(ordered.body).toEqual(named.body)
  expect(batch.body[1]).toEqual(named.body)
  expect(uri.result).toEqual(named.body.result)
  const query = `path=${encodeURIComponent(`"${STAKING}/Pool"`)}&data=0x&height=5`
  const pool = await get(`${node.url}/abci_query?${query}`)
  const bytes = Buffer.from(pool.result.response.value, 'base64')
  expect(BigInt(QueryPoolResponse.decode(bytes).pool.bondedTokens)).toBeGreaterThan(0n)
})

test('refuses the same requests as a real node, with the same messages', async () => {
  const { node } = await whole()
  const readError = async (method: string, params: unknown) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 9, method, params })
    return (await post(node.url, body)).body.error
  }
  expect(await readError('no_such_method', {})).toEqual({
    code: -32601,
    message: 'Method not found',
  })
  expect((await readError('block', { height: '0' })).data).toBe(
    'height must be greater than 0, but got 0',
  )
  expect((await readError('block', { height: 5 })).data).toContain('expected string')
  expect((await readError('block', { height: 'five' })).code).toBe(-32602)
  const invalidRequest = await post(node.url, 'not json')
  expect(invalidRequest).toMatchObject({ status: 500, body: { error: { code: -32700 } } })
  expect((await fetch(`${node.url}/no_such_method`)).status).toBe(404)
})

test('reports a deleted proposal like the chain', async () => {
  const { rpc } = await whole()
  const gone = await rpc.abciQuery(
    `${GOV}/Proposal`,
    proposalRequest(getProposalId('relayers')),
    lastHeight,
  )
  expect(gone).toMatchObject({
    code: 22,
    codespace: 'sdk',
    log: `rpc error: code = NotFound desc = proposal ${getProposalId('relayers')} doesn't exist: key not found`,
    value: null,
  })
  const unknown = await rpc.abciQuery('/cosmos.gov.v9.Query/Proposal', new Uint8Array(), 5)
  expect(unknown).toMatchObject({ code: 6, log: 'unknown query path: unknown request' })
})

test('has a vote while it is open and none after its close', async () => {
  const { rpc } = await whole()
  const id = getProposalId('constitution')
  const closedAt = await findFirstHeight(async (height) => {
    const answer = await rpc.abciQuery(`${GOV}/Proposal`, proposalRequest(id), height)
    if (answer.code !== 0) return false
    const { proposal } = QueryProposalResponse.decode(Buffer.from(answer.value ?? '', 'base64'))
    return proposal?.status === 3
  })
  const votesAt = async (height: number) =>
    QueryVotesResponse.decode(await rpc.query(`${GOV}/Votes`, votesRequest(id), height)).votes
      .length
  expect(await votesAt(closedAt - 1)).toBeGreaterThan(0)
  expect(await votesAt(closedAt)).toBe(0)
  const tallyAt = async (height: number) => {
    const request = QueryTallyResultRequest.encode({ proposalId: id }).finish()
    const bytes = await rpc.query(`${GOV}/TallyResult`, request, height)
    return QueryTallyResultResponse.decode(bytes).tally
  }
  const live = await tallyAt(closedAt - 1)
  const final = await tallyAt(closedAt)
  expect(BigInt(live?.yesCount ?? 0)).toBeGreaterThan(0n)
  expect(BigInt(final?.yesCount ?? 0)).toBeGreaterThan(0n)
  expect(await tallyAt(lastHeight)).toEqual(final)
})

test('pages through the votes by next key and loses none', async () => {
  const { rpc } = await whole()
  const id = getProposalId('smartAccounts')
  const all = QueryVotesResponse.decode(
    await rpc.query(
      `${GOV}/Votes`,
      QueryVotesRequest.encode(
        QueryVotesRequest.fromPartial({ proposalId: id, pagination: { limit: 10_000n } }),
      ).finish(),
      lastHeight,
    ),
  ).votes
  const paged: typeof all = []
  let key: Uint8Array = new Uint8Array()
  do {
    const bytes = await rpc.query(`${GOV}/Votes`, votesRequest(id, key), lastHeight)
    const page = QueryVotesResponse.decode(bytes)
    paged.push(...page.votes)
    key = page.pagination?.nextKey ?? new Uint8Array()
  } while (key.length > 0)
  expect(paged).toEqual(all)
  expect(all.length).toBeGreaterThan(250)
})

test('has every outcome, forty-one pools and hostile texts', async () => {
  const { rpc } = await whole()
  const request = QueryProposalsRequest.encode(QueryProposalsRequest.fromPartial({})).finish()
  const bytes = await rpc.query(`${GOV}/Proposals`, request, lastHeight)
  const listed = QueryProposalsResponse.decode(bytes).proposals
  expect(new Set(listed.map(({ status }) => status))).toEqual(new Set([1, 2, 3, 4, 5]))
  expect(listed.some(({ title }) => title.includes('<script>'))).toBe(true)
  expect(listed.some(({ expedited, status }) => expedited && status === 3)).toBe(true)
  const pools = QueryValidatorsResponse.decode(
    await rpc.query(`${STAKING}/Validators`, new Uint8Array(), lastHeight),
  ).validators
  expect(pools.length).toBeGreaterThanOrEqual(41)
  const depositsRequest = votesRequest(getProposalId('hackathon'))
  const deposits = await rpc.query(`${GOV}/Deposits`, depositsRequest, lastHeight)
  expect(QueryDepositsResponse.decode(deposits).deposits).toHaveLength(2)
})

test('sends the header of each new block to a subscriber', async () => {
  const { node, tick } = await setup()
  const socket = new WebSocket(`${node.url.replace('http', 'ws')}/websocket`)
  onTestFinished(() => socket.terminate())
  const messages: unknown[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await new Promise((resolve) => socket.once('open', resolve))
  const params = { query: "tm.event = 'NewBlockHeader'" }
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'subscribe', params }))
  await expect.poll(() => messages).toMatchObject([{ id: 2, result: {} }])
  await tick()
  const header = { height: String(lastHeight - 149) }
  const data = { type: 'tendermint/event/NewBlockHeader', value: { header } }
  await expect.poll(() => messages).toMatchObject([{ id: 2 }, { id: 2, result: { data } }])
})

test('refuses a recording with changed bytes', () => {
  const dir = mkdtempSync(`${tmpdir()}/rollcall-recording-`)
  onTestFinished(() => rmSync(dir, { recursive: true }))
  cpSync(TEST_RECORDING, dir, { recursive: true })
  writeFileSync(`${dir}/state.bin.br`, 'cut off')
  expect(() => openRecording(dir)).toThrow('state.bin.br is not the recorded one')
})

test('keeps the recording within five megabytes', () => {
  const sizes = Object.values(recording.manifest.files).map(({ bytes }) => bytes)
  expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThan(5 * 1024 * 1024)
})

/** For a condition that stays true once it is true. */
async function findFirstHeight(holds: (height: number) => Promise<boolean>): Promise<number> {
  let low = firstHeight
  let high = lastHeight
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await holds(middle)) high = middle
    else low = middle + 1
  }
  expect(await holds(low)).toBe(true)
  return low
}
