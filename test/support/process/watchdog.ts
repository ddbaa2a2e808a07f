// Kills a process after this process has ended, even by SIGKILL.
import { type ChildProcess, spawn } from 'node:child_process'

/** Its standard input ends with this process. Ctrl-C does not reach its own process group. */
export const createWatchdog = (pid: number): ChildProcess => {
  const script = 'cat >/dev/null; kill -9 "$1" 2>/dev/null'
  const watchdog = spawn('sh', ['-c', script, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watchdog.unref()
  return watchdog
}
