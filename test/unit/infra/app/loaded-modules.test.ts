// Tests that a process starts without the libraries that it does not use: each command and each service loads its own.
import { expect, it } from 'vitest'
import { loadedWith } from '../../../support/source/static-imports.ts'

/** Settings, the connection to the store, log lines and metrics: nearly every process needs them. */
const COMMON = ['@clickhouse/client', 'pino', 'prom-client', 'typebox', 'typebox/value']

it.each([
  ['a command', 'infra/app/cli.ts'],
  ['the supervisor', 'infra/app/start/machine.ts'],
])('%s loads only common libraries before it runs', (_, entry) => {
  expect([...loadedWith(entry).packages].filter((name) => !COMMON.includes(name))).toEqual([])
})

it('the node of the demo loads no faults, no simulated chain and no other means of tests', () => {
  const { files } = loadedWith('infra/app/demo/demo-node.ts')
  const nodes = [...files].filter((file) => file.startsWith('infra/app/chain/nodes/'))
  expect(nodes).toEqual(['infra/app/chain/nodes/node-server.ts'])
  const played =
    /^infra\/app\/chain\/(?:keepers\/|simulated-|signed-|blocks|messages|state\/simulated-)/
  expect([...files].filter((file) => played.test(file))).toEqual([])
})

it('the operator port loads no framework, which would cost each process 16 MB', () => {
  expect([...loadedWith('infra/base/http/operators/server.ts').packages].sort()).toEqual([
    'prom-client',
    'typebox',
  ])
})

it('the writer and the reader load no client of Kafka', () => {
  for (const name of ['writer', 'reader', 'kafka']) {
    const { packages } = loadedWith(`infra/app/services/${name}.ts`)
    expect([name, packages.has('kafkajs')]).toEqual([name, name === 'kafka'])
  }
})
