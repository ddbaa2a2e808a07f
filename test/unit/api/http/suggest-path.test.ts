// Which paths an unknown one is taken for.
import { expect, it } from 'vitest'
import { suggestPath } from '../../../../api/http/suggest-path.ts'
import { createRouteTable } from '../../../../infra/base/http/routes.ts'

const ROUTES = [
  '/proposals',
  '/proposals/:proposalId',
  '/pools',
  '/pools/:operatorAddress',
  '/voters',
  '/api/proposals',
  '/api/proposals/:proposalId',
  '/api/proposals/:proposalId/votes',
  '/api/pools',
  '/api/pools/:operatorAddress/votes',
  '/api/voters/:address/votes',
]
const table = createRouteTable()
for (const path of ROUTES) table.add({ path })

const suggest = (path: string) =>
  suggestPath(path, (candidate) => table.find(candidate) !== undefined)

it.each([
  ['/api/proposal/2', '/api/proposals/2'],
  ['/api/v1/proposals', '/api/proposals'],
  ['/API/Proposals/2/Vote', '/api/proposals/2/votes'],
  ['/api/proposals/', '/api/proposals'],
  ['/api//proposals', '/api/proposals'],
  ['/v1/proposals/2/votes', '/api/proposals/2/votes'],
  ['/proposal/2', '/proposals/2'],
  ['/proposals/2/votes', '/api/proposals/2/votes'],
  ['/validators', '/pools'],
  ['/validators/wasmvaloper1x', '/pools/wasmvaloper1x'],
  ['/api/validators', '/api/pools'],
  ['/api/pools/wasmvaloper1x', '/api/pools/wasmvaloper1x/votes'],
  ['/api/voters/wasm1x', '/api/voters/wasm1x/votes'],
  ['/cosmos/gov/v1beta1/proposals/2', '/proposals/2'],
])('%s is taken for %s', (path, expected) => expect(suggest(path)).toBe(expected))

it.each([
  '/',
  '/nothing',
  '/api',
  '/api/nothing',
  '/wp-admin/setup.php',
  '/__proto__',
  `/api/v1/${'x'.repeat(400)}`,
])('nothing is suggested for %s', (path) => expect(suggest(path)).toBeUndefined())

it('a suggestion is a path of this service, whatever the request contains', () => {
  expect(suggest('//evil.test/proposal/2')).toBeUndefined()
  expect(suggest('/api/proposal/<b>')).toBe('/api/proposals/%3Cb%3E')
})
