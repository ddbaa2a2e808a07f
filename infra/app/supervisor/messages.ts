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
/** `look`: there is something newer to serve. */
export type Order = StartOrder | { kind: 'look' } | { kind: 'stop' }

/** `url` is what the child serves to users, `operatorsUrl` what it serves to operators. */
export type ReadyReport = { kind: 'ready'; url?: string; operatorsUrl?: string }
/** The last message of a child that cannot go on. */
export type FailureReport = { kind: 'failed'; code: string; message: string }
/** Something newer was committed to the read model. */
export type CommitReport = { kind: 'committed' }
export type Report = ReadyReport | CommitReport | FailureReport

const readKind = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined

export const isOrder = (message: unknown): message is Order =>
  ['start', 'look', 'stop'].includes(String(readKind(message)))

export const isReport = (message: unknown): message is Report =>
  ['ready', 'committed', 'failed'].includes(String(readKind(message)))
