// The error type of this project: a stable code, whether a retry can help, and whether a caller may see it.

/** All error codes. `infra/ERRORS.md` explains each. */
export const ERROR_CODES = [
  'CONFIG_INVALID',
  'DATA_DIR_LOCKED',
  'DATA_DIR_DAMAGED',
  'DATA_DIR_UNWRITABLE',
  'ENGINE_FAILED',
  'CHILD_FAILED',
  'LOG_FENCED',
  'LOG_FULL',
  'LOG_ENTRY_TOO_LARGE',
  'LOG_UNAVAILABLE',
  'LOG_DAMAGED',
  'STORE_UNAVAILABLE',
  'STORE_REFUSED',
  'FOLD_FAILED',
  'REBUILD_REFUSED',
  'RPC_UNAVAILABLE',
  'RPC_REFUSED',
  'RPC_LIMITED',
  'RPC_INVALID_RESPONSE',
  'RPC_DISAGREEMENT',
  'CHAIN_MISMATCH',
  'CHAIN_FORKED',
  'HEIGHT_UNAVAILABLE',
  'EVIDENCE_UNAVAILABLE',
  'NOT_IN_LOG',
  'EXPORT_DAMAGED',
  'IMPORT_REFUSED',
  'KEYS_UNUSABLE',
  'KEYS_EXPOSED',
  'AGENTS_LOG_UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'ABORTED',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

export type ErrorOptions = {
  /** True if the same call may succeed later. Only these errors are retried. */
  retryable?: boolean
  /** True if an external caller may see the message. */
  expose?: boolean
  cause?: unknown
}

export class AppError extends Error {
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly expose: boolean

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.retryable = options.retryable ?? false
    this.expose = options.expose ?? false
  }
}

/** Node's error of a failed system call, such as `listen` or `open`. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error

export const hasCode = (error: unknown, code: ErrorCode): error is AppError =>
  error instanceof AppError && error.code === code
