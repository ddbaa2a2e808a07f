// The interface of leadership: one of several processes does the work at a time.

export type Leadership = {
  /**
   * Runs `term` whenever this process leads; the signal of the term fires when it no longer leads.
   * Ends when `signal` fires. Rejects if a term rejects, except with `LOG_FENCED`, after which
   * the process is on standby again.
   */
  lead(term: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>
  /** For /readyz and metrics. */
  state(): 'leading' | 'standby'
  close(): Promise<void>
}
