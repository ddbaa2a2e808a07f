// The port of leadership: of several processes that could do a work, one does it at a time.

export type Leadership = {
  /**
   * Runs `term` while this process leads, again whenever it leads anew; its signal fires when it no
   * longer leads. Ends when `signal` fires; rejects with what a term rejects with (`LOG_FENCED` apart:
   * that is going back to standby).
   */
  lead(term: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>
  /** For /readyz and metrics. */
  state(): 'leading' | 'standby'
  close(): Promise<void>
}
