// The parameters in force as the node's REST shows them, and what a message would change in them, compared without the product's code.
import { isDeepStrictEqual } from 'node:util'
import type { RestMessage } from './proposal-messages.ts'

const REQUEST_TIMEOUT_MS = 20_000
const UPDATE = /^\/(.+)\.MsgUpdateParams$/

/** By package: REST paths follow no single rule. */
const REST_PATHS: Record<string, string> = {
  'cosmos.auth.v1beta1': '/cosmos/auth/v1beta1/params',
  'cosmos.bank.v1beta1': '/cosmos/bank/v1beta1/params',
  'cosmos.consensus.v1': '/cosmos/consensus/v1/params',
  'cosmos.distribution.v1beta1': '/cosmos/distribution/v1beta1/params',
  'cosmos.gov.v1': '/cosmos/gov/v1/params/voting',
  'cosmos.mint.v1beta1': '/cosmos/mint/v1beta1/params',
  'cosmos.protocolpool.v1': '/cosmos/protocolpool/v1/params',
  'cosmos.slashing.v1beta1': '/cosmos/slashing/v1beta1/params',
  'cosmos.staking.v1beta1': '/cosmos/staking/v1beta1/params',
  'cosmwasm.wasm.v1': '/cosmwasm/wasm/v1/codes/params',
  'ibc.applications.interchain_accounts.controller.v1':
    '/ibc/apps/interchain_accounts/controller/v1/params',
  'ibc.applications.interchain_accounts.host.v1': '/ibc/apps/interchain_accounts/host/v1/params',
  'ibc.applications.transfer.v1': '/ibc/apps/transfer/v1/params',
  'ibc.core.client.v1': '/ibc/core/client/v1/params',
  'ibc.core.connection.v1': '/ibc/core/connection/v1/params',
}

export type Change = { message: number; path: string; from: unknown; to: unknown }
type JsonObject = Record<string, unknown>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members of objects one by one; lists and all else whole. */
function differences(
  from: unknown,
  to: unknown,
  path: readonly string[],
): Omit<Change, 'message'>[] {
  if (isDeepStrictEqual(from, to)) return []
  if (!isObject(from) || !isObject(to)) return [{ path: path.join('.'), from, to }]
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...names].flatMap((name) =>
    differences(from[name] ?? null, to[name] ?? null, [...path, name]),
  )
}

async function readParams(restUrl: string, packageName: string, height: number): Promise<unknown> {
  const path = REST_PATHS[packageName]
  if (!path) throw new Error(`no REST path is known for the parameters of ${packageName}`)
  const response = await fetch(`${restUrl}${path}`, {
    headers: { 'x-cosmos-block-height': String(height) },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`${path} at ${height}: ${await response.text()}`)
  return JSON.parse(await response.text()).params
}

/** The message of x/consensus has its parameters as its own members, and has none for the application's version. */
function newParams(message: RestMessage, inForce: unknown): unknown {
  const { '@type': _, authority: __, signer: ___, ...members } = message
  if ('params' in members) return members['params']
  return isObject(inForce) ? { ...inForce, ...members } : members
}

export async function expectedChanges(
  restUrl: string,
  messages: readonly RestMessage[],
  height: number,
): Promise<Change[]> {
  const changes: Change[] = []
  for (const [message, each] of messages.entries()) {
    const [, packageName] = UPDATE.exec(each['@type']) ?? []
    if (packageName === undefined) continue
    const inForce = await readParams(restUrl, packageName, height)
    for (const change of differences(inForce, newParams(each, inForce), [])) {
      changes.push({ message, ...change })
    }
  }
  return changes
}
