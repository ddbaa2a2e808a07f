// The roles of the children of the supervisor, and the IPC messages between them and the supervisor.
import type { StoreAccess } from '../../base/clickhouse/settings.ts'

export const ROLES = ['writer', 'reader'] as const
export type RoleName = (typeof ROLES)[number]

/** The first message to a child. It has the password, so that no environment has it. */
export type StartOrder = {
  kind: 'start'
  store: StoreAccess
  logPath: string
  agentsLogPath: string
  keysPath: string
  largeReadsFile: string
  historyFile: string
}
/** `refresh`: newer data is available. */
export type Order = StartOrder | { kind: 'refresh' } | { kind: 'stop' }

/** `url` is the address for users, `operatorsUrl` the address for operators. */
export type ReadyReport = { kind: 'ready'; url?: string; operatorsUrl?: string }
/** The last message of a child that cannot continue. */
export type FailureReport = { kind: 'failed'; code: string; message: string }
/** The writer has committed newer data. */
export type CommitReport = { kind: 'committed' }
export type Report = ReadyReport | CommitReport | FailureReport

const readKind = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined

export const isOrder = (message: unknown): message is Order =>
  ['start', 'refresh', 'stop'].includes(String(readKind(message)))

export const isReport = (message: unknown): message is Report =>
  ['ready', 'committed', 'failed'].includes(String(readKind(message)))
