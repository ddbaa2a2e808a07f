// Tests that a process starts without the libraries that it does not use: each command and each service loads its own.
import { expect, it } from 'vitest'
import { loadedWith } from '../../../support/source/static-imports.ts'

/** The connection to the store, log lines and metrics: nearly every process needs them. */
const COMMON = ['@clickhouse/client', 'pino', 'prom-client']

it.each([
  ['a command', 'infra/app/cli.ts'],
  ['the supervisor', 'infra/app/supervisor/run-machine.ts'],
  ['the writer and the reader', 'infra/app/supervisor/role-process.ts'],
])('%s loads only common libraries before it runs', (_, entry) => {
  expect([...loadedWith(entry).packages].filter((name) => !COMMON.includes(name))).toEqual([])
})

it('finds the libraries of a service', () => {
  expect(loadedWith('infra/app/services/ingest.ts').packages).toContain('kafkajs')
})
