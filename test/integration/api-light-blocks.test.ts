// Tests of light blocks and validator sets in the API, with a log of a real chain and a real ClickHouse.
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { LightBlock, LightBlockPage, ValidatorSet } from '../../api/schemas/proof.ts'
import { hashText, readLightBlock } from '../../infra/base/proof/light-block.ts'
import { TABLES } from '../../projections/contract/tables.ts'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { insertRows } from '../support/api/lists-story.ts'
import { projectAll } from '../support/fold/run-projections.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { NO_ANSWER, VALIDATORS_HASH } from '../support/log/proof-events.ts'
import {
  appendStory,
  PASSED,
  PROOFS_STORY,
  recorded,
  toValidators,
} from '../support/log/proofs-story.ts'
import { timestampAt } from '../support/store/read-model-seed.ts'
import type { LightBlockRow } from '../support/store/stored-rows.ts'
import { useTestStore } from '../support/store/test-store.ts'

const { chainId } = recorded
const FINAL = 'public, max-age=86400, immutable'

const MANY = 1_100
const FIRST_OF_MANY = 5_000
const rowAt = (height: number): LightBlockRow => ({
  height: `${height}`,
  hash: 'CD'.repeat(32),
  header_time: null,
  header: '{}',
  commit: '{}',
  validators_hash: VALIDATORS_HASH,
  reason: null,
  time: timestampAt(height),
  version: '1',
})

const testStore = useTestStore(async (store) => {
  const log = openMemoryLog()
  await appendStory(log, PROOFS_STORY)
  await projectAll(log, store)
  const many = Array.from({ length: MANY }, (_, n) => rowAt(FIRST_OF_MANY + n))
  await insertRows(store, TABLES.lightBlocks.name, many)
})

const setup = async () => {
  const rig = await createApiRig(testStore.store)
  const get = async (url: string) => (await rig.ask(url)).json()
  return { ...rig, get }
}

const heightsIn = ({ items }: { items: { height: number }[] }): number[] =>
  items.map(({ height }) => height)

describe('a validator set', () => {
  const hash = String(PASSED.proof.header['validators_hash'])

  it('has all of its validators in order, and is final', async () => {
    const { ask } = await setup()
    const answer = await ask(`/api/validators/${hash}`)
    expect(answer.json()).toEqual({ hash, validators: toValidators(PASSED.proof) })
    expect(Compile(ValidatorSet).Errors(answer.json())).toEqual([])
    expect(answer.headers['cache-control']).toBe(FINAL)
  })

  it('has one URL, and lowercase hashes redirect to it', async () => {
    const { ask } = await setup()
    const { status, headers } = await ask(`/api/validators/${hash.toLowerCase()}`)
    expect([status, headers['location']]).toEqual([308, `/api/validators/${hash}`])
  })

  it('is a problem if it does not exist, or if the hash is not valid', async () => {
    const { ask } = await setup()
    const unknown = await ask(`/api/validators/${'EF'.repeat(32)}`)
    expectProblem(unknown, 404, 'validators-not-found')
    for (const wrong of ['x', 'AB', `${hash}0`, 'G'.repeat(64)]) {
      expectProblem(await ask(`/api/validators/${wrong}`), 400, 'invalid-parameter')
    }
  })
})

describe('the light blocks', () => {
  it('are listed by height, only heights with a header', async () => {
    const { get } = await setup()
    const list = await get('/api/light-blocks')
    expect(Compile(LightBlockPage).Errors(list)).toEqual([])
    expect(heightsIn(list).slice(0, 7)).toEqual([1, 2, 4, 11, 24, 26, FIRST_OF_MANY])
    const { header } = PASSED.proof
    expect(list.items[5]).toEqual({
      height: 26,
      hash: hashText(readLightBlock(PASSED.proof, chainId).hash),
      time: `${String(header['time']).slice(0, 23)}Z`,
      validatorsHash: header['validators_hash'],
      link: '/api/light-blocks/26',
    })
  })

  it('are a page too, without the hashes, which a reader must take from elsewhere', async () => {
    const { ask, get } = await setup()
    const { items } = await get('/api/light-blocks')
    const { status, text } = await ask('/light-blocks', { headers: { accept: 'text/html' } })
    expect(status).toBe(200)
    expect(text).toContain('<h1>Blocks for proofs</h1>')
    expect(text).toContain('href="/light-blocks?page=1"')
    for (const { height, hash } of items.slice(0, 6)) {
      expect(text).toContain(`role="rowheader">${height}</th>`)
      expect(text).not.toContain(hash)
    }
    const markdown = await ask('/light-blocks', { headers: { accept: 'text/markdown' } })
    expect(markdown.text).toContain('# Blocks for proofs')
  })

  it('are 1,000 per page, the same by page number and by cursor', async () => {
    const { get, ask } = await setup()
    const first = await get('/api/light-blocks')
    const totalItems = 6 + MANY
    expect(first.page).toMatchObject({ size: 1_000, totalItems, totalPages: 2 })
    const second = await get('/api/light-blocks?page=1')
    const all = [...heightsIn(first), ...heightsIn(second)]
    expect(all).toEqual(all.toSorted((one, other) => one - other))
    expect(new Set(all).size).toBe(totalItems)
    const { nextCursor } = first.page
    expect((await get(`/api/light-blocks?cursor=${nextCursor}`)).items).toEqual(second.items)
    const forged = Buffer.from('1.2000.AAAAAAAA').toString('base64url')
    expectProblem(await ask(`/api/light-blocks?cursor=${forged}`), 400, 'invalid-parameter')
  })

  it('are available as CSV rows', async () => {
    const { ask } = await setup()
    const { text } = await ask('/api/light-blocks', { headers: { accept: 'text/csv' } })
    const [names, first] = text.split('\r\n')
    expect(names).toBe('"height","hash","time","validatorsHash","link"')
    expect(first).toMatch(/^"1","[0-9A-F]{64}","2026-11-23T02:29:42\.246Z","[0-9A-F]{64}",/)
  })

  it('have header and commit as on the chain, and are final', async () => {
    const { ask } = await setup()
    const answer = await ask('/api/light-blocks/26')
    const { header, commit } = PASSED.proof
    const hash = header['validators_hash']
    expect(answer.json()).toMatchObject({
      height: 26,
      header,
      commit,
      asOf: { height: 27 },
      validators: { hash, link: `/api/validators/${hash}` },
    })
    expect(Compile(LightBlock).Errors(answer.json())).toEqual([])
    expect(answer.headers['cache-control']).toBe(FINAL)
  })

  it.each([
    ['20', 'The nearest earlier height is 11, the nearest later height is 24.'],
    ['999999', 'there is no later height.'],
    ['301', `Height 301 has no light block (${NO_ANSWER}).`],
  ])('of height %s are a problem that names the nearest heights', async (height, detail) => {
    const { ask } = await setup()
    const answer = await ask(`/api/light-blocks/${height}`)
    expectProblem(answer, 404, 'light-block-not-found')
    expect(answer.json().detail).toContain(detail)
  })

  it.each(['0', '01', '-1', 'x', '99999999999'])(
    'are refused for the height %s',
    async (height) => {
      const { ask } = await setup()
      expectProblem(await ask(`/api/light-blocks/${height}`), 400, 'invalid-parameter')
    },
  )
})
