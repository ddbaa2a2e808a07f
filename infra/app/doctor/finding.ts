// The findings of `rollcall doctor`, each with a remedy; what cannot be read is a finding too.
import { isRefusedLogin } from '../../base/clickhouse/check-server.ts'
import { AppError, type ErrorCode } from '../../base/runtime/errors.ts'
import { withDeadline } from '../../base/runtime/retry.ts'

export type Finding = {
  /** What was looked at, such as `event log`: set by `checkRow`. */
  area?: string
  level: 'ok' | 'warning' | 'problem' | 'not checked'
  message: string
  /** The fix for the operator. */
  remedy?: string
}

export type Findings = Finding | readonly Finding[]

export function ok(message: string): Finding {
  return { level: 'ok', message }
}

export function warning(message: string, remedy: string): Finding {
  return { level: 'warning', message, remedy }
}

export function problem(message: string, remedy: string): Finding {
  return { level: 'problem', message, remedy }
}

export function notChecked(message: string): Finding {
  return { level: 'not checked', message }
}

/** A finding keeps the area that it already has. */
export function inArea(area: string, findings: Findings): Finding[] {
  return [findings].flat().map((finding) => ({ area, ...finding }))
}

/** Users, passwords and paths of URLs may be secret; hosts are not. */
export function withoutSecrets(text: string): string {
  return text.replace(
    /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@"]*@)?([^\s/?#"',;]*)[^\s"',;]*/gi,
    '$1$2',
  )
}

export const START_PROJECTIONS = 'start the projections'

const REMEDIES: Partial<Record<ErrorCode, string>> = {
  DATA_DIR_DAMAGED: 'restore it, or set DATA_DIR to another directory',
  STORE_UNAVAILABLE: 'start ClickHouse, or set CLICKHOUSE_URL',
  EVIDENCE_UNAVAILABLE: 'start it, or check its log',
}

const NO_TABLES = /UNKNOWN_DATABASE|UNKNOWN_TABLE|does not exist/

/** The finding of what could not be read. */
const toFinding = (error: unknown): Finding => {
  const message = withoutSecrets(error instanceof Error ? error.message : String(error))
  if (!(error instanceof AppError)) return problem(message, 'unexpected: please report it')
  const { code } = error
  if (code === 'NOT_IN_LOG') return notChecked(message)
  if (code === 'CONFIG_INVALID') {
    // The check of the settings reports each line.
    return notChecked(message.includes('\n') ? 'a required setting is invalid' : message)
  }
  if (code === 'STORE_REFUSED' && isRefusedLogin(message)) {
    const remedy = 'set CLICKHOUSE_USERNAME and …_PASSWORD'
    return problem('ClickHouse rejects these credentials', remedy)
  }
  if (code === 'STORE_REFUSED' && NO_TABLES.test(message)) {
    return problem('ClickHouse has no tables of Rollcall', START_PROJECTIONS)
  }
  return problem(message, REMEDIES[code] ?? `see ${code} in infra/ERRORS.md`)
}

const CHECK_TIMEOUT_MS = 15_000

/** Rejects only with `ABORTED`: any other failure is a finding. */
export async function checkRow(
  fact: string,
  signal: AbortSignal,
  check: (signal: AbortSignal) => Findings | Promise<Findings>,
): Promise<Finding[]> {
  try {
    return inArea(fact, await withDeadline(CHECK_TIMEOUT_MS, signal, async (own) => check(own)))
  } catch (error) {
    if (signal.aborted) throw error
    return inArea(fact, toFinding(error))
  }
}

const AREA_COLUMN = 16
const LEVEL_COLUMN = 13

/** A message of another program must not break the line format. */
const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ')

/** One line, and a second one with the remedy if there is one. */
const findingText = ({ area = '', level, message, remedy }: Finding): string[] => {
  const first = `${area.padEnd(AREA_COLUMN)}${level.padEnd(LEVEL_COLUMN)}${oneLine(message)}`
  const indent = ' '.repeat(AREA_COLUMN + LEVEL_COLUMN)
  return remedy === undefined ? [first] : [first, `${indent}→ ${oneLine(remedy)}`]
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

export function findingsText(findings: readonly Finding[]): string {
  const count = (counting: Finding['level']): number =>
    findings.filter(({ level }) => level === counting).length
  const sum = `${counted(count('problem'), 'problem')}, ${counted(count('warning'), 'warning')}, ${count('not checked')} not checked`
  return [...findings.flatMap(findingText), '', sum].join('\n')
}
