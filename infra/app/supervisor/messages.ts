// What the supervisor and its children say to each other over IPC.
import type { StoreAccess } from '../../clickhouse/settings.ts'

/** The first message to a child. The password travels here, so that it stands in no environment. */
export type StartOrder = {
  kind: 'start'
  store: StoreAccess
  logPath: string
  agentsLogPath: string
  keysPath: string
}
export type Order = StartOrder | { kind: 'stop' }

/** `url` is what the child serves to users, `operatorsUrl` what it serves to operators. */
export type ReadyReport = { kind: 'ready'; url?: string; operatorsUrl?: string }
/** The last message of a child that cannot go on. */
export type FailureReport = { kind: 'failed'; code: string; message: string }
export type Report = ReadyReport | FailureReport

const kindOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined

export const isOrder = (message: unknown): message is Order =>
  ['start', 'stop'].includes(String(kindOf(message)))

export const isReport = (message: unknown): message is Report =>
  ['ready', 'failed'].includes(String(kindOf(message)))
