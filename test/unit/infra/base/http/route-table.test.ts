// Which methods a path has, and which path is meant: without a server.
import { expect, it } from 'vitest'
import {
  createRouteTable,
  findHandler,
  listMethods,
} from '../../../../../infra/base/http/route-table.ts'

const both = { path: '/both', handlers: { GET: 'read', POST: 'write' } }
const read = { path: '/read.json', handlers: { GET: 'read' } }
const named = { path: '/named/:id/parts', handlers: { POST: 'write' } }

it('a path has the methods of its handlers, and HEAD with GET', () => {
  expect([both, read, named].map(listMethods)).toEqual([
    ['GET', 'HEAD', 'POST'],
    ['GET', 'HEAD'],
    ['POST'],
  ])
  expect(['GET', 'HEAD', 'POST', 'PUT'].map((method) => findHandler(both, method))).toEqual([
    'read',
    'read',
    'write',
    undefined,
  ])
  expect(findHandler(named, 'HEAD')).toBeUndefined()
})

it('a path is found by its text or its pattern, and nothing else is', () => {
  const table = createRouteTable<typeof both | typeof read | typeof named>()
  for (const route of [named, both, read]) table.add(route)
  expect(table.find('/both')).toBe(both)
  expect(table.find('/named/a.b/parts')).toBe(named)
  for (const path of ['/readxjson', '/named//parts', '/named/a/b/parts', '/both/', '']) {
    expect([path, table.find(path)]).toEqual([path, undefined])
  }
})
