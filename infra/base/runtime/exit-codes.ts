// Exit codes by kind of failure, as in sysexits.h.
import { AppError, type ErrorCode } from './errors.ts'

export const EXIT_CODES = {
  ok: 0,
  differs: 1,
  usage: 64,
  damagedData: 65,
  unavailable: 69,
  software: 70,
  cannotWrite: 73,
  locked: 75,
  config: 78,
  /** 128 + SIGINT, as in shells. */
  interrupted: 130,
} as const

/** For `--help`: each code with its meaning. */
export const EXIT_CODE_MEANINGS: readonly (readonly [number, string])[] = [
  [EXIT_CODES.ok, 'success, or stopped on request'],
  [EXIT_CODES.differs, 'verification failed or a comparison found differences; see the output'],
  [EXIT_CODES.usage, 'unknown command or option'],
  [EXIT_CODES.damagedData, 'the data directory or a file is damaged, or of another chain'],
  [EXIT_CODES.unavailable, 'a service does not respond, or there is no data to work on'],
  [EXIT_CODES.software, 'a child process failed repeatedly, or could not start'],
  [EXIT_CODES.cannotWrite, 'the data directory cannot be written, or its disk is full'],
  [EXIT_CODES.locked, 'another process uses the data directory'],
  [EXIT_CODES.config, 'settings are wrong; the message lists every one'],
  [EXIT_CODES.interrupted, 'interrupted by Ctrl-C'],
]

const BY_ERROR: Partial<Record<ErrorCode, number>> = {
  CONFIG_INVALID: EXIT_CODES.config,
  DATA_DIR_LOCKED: EXIT_CODES.locked,
  DATA_DIR_DAMAGED: EXIT_CODES.damagedData,
  DATA_DIR_UNWRITABLE: EXIT_CODES.cannotWrite,
  LOG_DAMAGED: EXIT_CODES.damagedData,
  CHAIN_MISMATCH: EXIT_CODES.damagedData,
  CHAIN_FORKED: EXIT_CODES.damagedData,
  EVIDENCE_UNAVAILABLE: EXIT_CODES.unavailable,
  NOT_IN_LOG: EXIT_CODES.unavailable,
  EXPORT_DAMAGED: EXIT_CODES.damagedData,
  IMPORT_REFUSED: EXIT_CODES.damagedData,
  REBUILD_REFUSED: EXIT_CODES.unavailable,
  KEYS_UNUSABLE: EXIT_CODES.config,
  KEYS_EXPOSED: EXIT_CODES.config,
  LOG_FULL: EXIT_CODES.cannotWrite,
}

/** A later attempt may succeed. */
const BY_PASSING_ERROR: Partial<Record<ErrorCode, number>> = {
  ABORTED: EXIT_CODES.interrupted,
  DEADLINE_EXCEEDED: EXIT_CODES.unavailable,
  LOG_UNAVAILABLE: EXIT_CODES.unavailable,
  RPC_UNAVAILABLE: EXIT_CODES.unavailable,
}

const UNWRITABLE = new Set(['EACCES', 'EDQUOT', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS'])

const readSystemCode = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

/** True if the same start would fail again, so a restart is useless. */
export const isPermanent = (code: string): boolean => Object.hasOwn(BY_ERROR, code)

/** True for a failure with a message for the operator: it needs no stack trace. */
export const isUserFacing = (error: unknown): boolean =>
  error instanceof AppError && isPermanent(error.code)

/** The message of the engine, which has no code for it. */
const NO_SPACE = /not enough space|no space left/i

export const toExitCode = (error: unknown): number => {
  if (error instanceof Error && NO_SPACE.test(error.message)) return EXIT_CODES.cannotWrite
  if (error instanceof AppError) {
    return BY_ERROR[error.code] ?? BY_PASSING_ERROR[error.code] ?? EXIT_CODES.software
  }
  return UNWRITABLE.has(readSystemCode(error)) ? EXIT_CODES.cannotWrite : EXIT_CODES.software
}
