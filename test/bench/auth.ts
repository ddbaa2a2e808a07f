// Measures registrations and token exchanges per second of auth over real sockets.
// The baseline is jose alone, which signs and verifies the same tokens: the difference is the cost without cryptography.
import autocannon from 'autocannon'
import { type BenchChild, startBenchChild } from './child.ts'
import { computeSpread, type Finding, measurePairs } from './measure.ts'
import type { BenchContext, Measurement } from './measurement.ts'

const CONNECTIONS = 32
const SECONDS = 4
const TARGET = 0.5

type Load = { path: string; type: string; body: string }

const REGISTRATION: Load = {
  path: '/agent/identity',
  type: 'application/json',
  body: '{"type":"anonymous"}',
}

const prepareExchange = async (url: string): Promise<Load> => {
  const response = await fetch(url + REGISTRATION.path, {
    method: 'POST',
    headers: { 'content-type': REGISTRATION.type },
    body: REGISTRATION.body,
  })
  const { identity_assertion: assertion } = (await response.json()) as Record<string, string>
  const fields = {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: String(assertion),
  }
  const body = new URLSearchParams(fields).toString()
  return { path: '/oauth2/token', type: 'application/x-www-form-urlencoded', body }
}

const send = async (url: string, { path, type, body }: Load): Promise<number> => {
  const result = await autocannon({
    url: url + path,
    method: 'POST',
    body,
    headers: { 'content-type': type },
    connections: CONNECTIONS,
    duration: SECONDS,
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${path}: ${result.non2xx} refused`)
  return result['2xx'] / result.duration
}

type Kind = { name: string; label: string; baseline: string; load: Load; jose: object }

/** CPU time of the process per response: it does not depend on the load of the machine. */
const withCpu = async (child: BenchChild, costs: number[], run: () => Promise<number>) => {
  const beforeMs = await child.ask<number>('cpuMs')
  const rate = await run()
  const usedMs = (await child.ask<number>('cpuMs')) - beforeMs
  costs.push((usedMs * 1_000) / (rate * SECONDS))
  return rate
}

type Parts = { url: string; service: BenchChild; jose: BenchChild }

const measure = async (
  { url, service, jose }: Parts,
  kind: Kind,
  { pairs, log }: BenchContext,
): Promise<Finding> => {
  const bareRates: number[] = []
  const alone = (parameters: object) =>
    jose.ask<number>('joseAlone', { ...parameters, seconds: SECONDS })
  const cpu = { ours: [] as number[], theirs: [] as number[] }
  await send(url, kind.load)
  const measured = await measurePairs(
    {
      subject: () => withCpu(service, cpu.ours, () => send(url, kind.load)),
      baseline: async () => {
        bareRates.push(await alone({ signs: 1, verifies: 0, seals: 0 }))
        return withCpu(jose, cpu.theirs, () => alone(kind.jose))
      },
    },
    { pairs, log },
  )
  const bare = computeSpread(bareRates).median
  const [ours, theirs] = [cpu.ours, cpu.theirs].map((costs) =>
    computeSpread(costs).median.toFixed(0),
  )
  return {
    name: kind.name,
    unit: '/s',
    subject: { label: kind.label, figure: measured.subject },
    baseline: { label: kind.baseline, figure: measured.baseline },
    ratio: measured.ratio,
    target: TARGET,
    notes: [
      `${CONNECTIONS} connections, the load generator on the same machine`,
      `CPU for each: ${ours} µs, against ${theirs} µs of jose alone`,
      `jose alone signs ${Math.round(bare)} ES256 tokens/s: ${(measured.subject.median / bare).toFixed(2)} of that`,
    ],
  }
}

export const auth: Measurement = {
  name: 'auth',
  question: 'what do a registration and an exchange cost in addition to their tokens?',
  run: async (context) => {
    const { scope } = context
    const service = startBenchChild(scope, 'auth')
    const jose = startBenchChild(scope, 'auth')
    const { url } = await service.ask<{ url: string }>('start', {
      directory: scope.directory('auth'),
    })
    const kinds: readonly Kind[] = [
      {
        name: 'auth-register',
        label: 'anonymous registrations',
        load: REGISTRATION,
        baseline: 'jose alone: the same three tokens',
        jose: { signs: 2, verifies: 0, seals: 1 },
      },
      {
        name: 'auth-exchange',
        label: 'assertions for tokens',
        load: await prepareExchange(url),
        baseline: 'jose alone: one verified, one signed',
        jose: { signs: 1, verifies: 1, seals: 0 },
      },
    ]
    const findings: Finding[] = []
    for (const kind of kinds) findings.push(await measure({ url, service, jose }, kind, context))
    return findings
  },
}
